#include "dse/serving/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dse::serving {
Recorder::Recorder(const graph::ServiceLevels& levels, std::size_t requests, double tokens_a_step)
    : levels_{levels}, limits_{levels}, gaps_{tokens_a_step} {
    first_.reserve(requests);
    per_token_.reserve(requests);
    whole_.reserve(requests);
}

void Recorder::set_classes(std::span<const graph::RequestClass> classes) {
    classes_.clear();
    for (const graph::RequestClass& one : classes) classes_.emplace_back(one);
}

/// As the client sees it: sent once.
void Recorder::keep(AnsweredRequest answered) {
    answered.request.arrival -= std::exchange(answered.request.delayed, 0);
    series_->answered(answered.request.arrival, answered.first_token, answered.last_token);
    if (std::cmp_less_equal(outcome_.answered, most_kept)) {
        outcome_.requests.push_back(answered);
    } else {
        outcome_.requests = {};
    }
}

void Recorder::answered(const AnsweredRequest& answered) {
    const auto& [request, first_token, last_token, replica] = answered;
    ++outcome_.answered;
    outcome_.prompt_tokens += request.prompt;
    outcome_.output_tokens += request.output;
    const Ticks sent = request.arrival - request.delayed;
    RequestLatencies latencies{to_seconds(first_token - sent), 0.0, to_seconds(last_token - sent)};
    if (series_) keep(answered);
    first_.add(latencies.first);
    whole_.add(latencies.whole);
    if (request.output > 1) {
        latencies.per_token = to_seconds(last_token - first_token) / static_cast<double>(request.output - 1);
        per_token_.add(latencies.per_token);
    }
    bool good = limits_.hold(latencies);
    if (!classes_.empty()) good = classes_[request.kind].answered(latencies, good);
    if (good) ++outcome_.good;
}

void Recorder::admitted(std::int64_t tokens, std::int64_t cached, std::int64_t copied) {
    outcome_.admitted_tokens += tokens;
    outcome_.cached_tokens += cached;
    outcome_.copied_tokens += copied;
}

void Recorder::spent(Ticks start, Ticks duration, const State& state) {
    if (series_) series_->spent(start, duration, {state.waiting, state.running, state.cache_use});
    const double seconds = to_seconds(duration);
    waiting_ += seconds * static_cast<double>(state.waiting);
    running_ += seconds * static_cast<double>(state.running);
    cache_use_ += seconds * state.cache_use;
    outcome_.most_waiting = std::max(outcome_.most_waiting, state.waiting);
    outcome_.most_cache_use = std::max(outcome_.most_cache_use, state.most_cache_use);
    outcome_.steps += state.steps;
    if (state.decoding == 0) return;
    decode_time_ += seconds;
    decoding_ += seconds * static_cast<double>(state.decoding);
    context_ += seconds * state.context;
}

void Recorder::ended(Ticks time) {
    end_ = std::max(end_, time);
}

/// Of all requests, and of those classes that were answered and have levels.
double Recorder::worst_level() {
    double worst = worst_ratio(levels_, outcome_.latency);
    for (ClassMeter& meter : classes_) {
        const ClassOutcome& one = outcome_.classes.emplace_back(meter.outcome());
        if (!std::isnan(one.worst_level) && !(one.worst_level <= worst)) worst = one.worst_level;
    }
    return worst;
}

Outcome Recorder::outcome(std::int64_t replicas) {
    outcome_.latency[ttft] = first_.statistics();
    outcome_.latency[tpot] = per_token_.statistics();
    outcome_.latency[e2e] = whole_.statistics();
    outcome_.latency[itl][0] = gaps_.mean();
    for (std::size_t i = 1; i < shares.size(); ++i) outcome_.latency[itl][i] = gaps_.percentile(shares[i]);
    outcome_.worst_level = worst_level();
    outcome_.duration = to_seconds(end_);
    const double duration = outcome_.duration > 0.0 ? outcome_.duration : 1.0;
    outcome_.waiting = waiting_ / duration;
    outcome_.running = running_ / duration;
    outcome_.cache_use = cache_use_ / duration / static_cast<double>(replicas);
    const double decode_time = decode_time_ > 0.0 ? decode_time_ : 1.0;
    outcome_.decoding = decoding_ / decode_time;
    outcome_.context = context_ / decode_time;
    if (series_) outcome_.series = series_->intervals(end_, replicas);
    std::stable_sort(outcome_.requests.begin(), outcome_.requests.end(),
                     [](const AnsweredRequest& a, const AnsweredRequest& b) {
                         return a.request.arrival < b.request.arrival;
                     });
    return outcome_;
}

}  // namespace dse::serving
