#include "dse/serving/recorder.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dse::serving {
namespace {

enum Latency : std::size_t { ttft, tpot, itl, e2e };

/// The loosest of the levels stated for a latency, which a single request is judged by: one request in ten
/// may exceed the p90, and a median says nothing about a single request. Infinite if none is stated.
double most_of(const std::array<Seconds, graph::statistic_names.size()>& levels) {
    const Seconds most = *std::max_element(levels.begin(), levels.end());
    return most.value() > 0.0 ? most.value() : std::numeric_limits<double>::infinity();
}

}  // namespace

Recorder::Recorder(const graph::ServiceLevels& levels, std::size_t requests, double tokens_a_step)
    : levels_{levels}, gaps_{tokens_a_step} {
    for (std::size_t i = 0; i < most_.size(); ++i) most_[i] = most_of(levels.most[i]);
    first_.reserve(requests);
    per_token_.reserve(requests);
    whole_.reserve(requests);
}

void Recorder::keep(const AnsweredRequest& answered) {
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
    const double first = to_seconds(first_token - request.arrival);
    const double whole = to_seconds(last_token - request.arrival);
    if (series_) keep(answered);
    first_.add(first);
    whole_.add(whole);
    double per_token = 0.0;
    if (request.output > 1) {
        per_token = to_seconds(last_token - first_token) / static_cast<double>(request.output - 1);
        per_token_.add(per_token);
    }
    // A request's inter-token latency is judged by the mean of its gaps.
    if (first <= most_[ttft] && per_token <= std::min(most_[tpot], most_[itl]) && whole <= most_[e2e])
        ++outcome_.good;
}

void Recorder::admitted(std::int64_t tokens, std::int64_t cached) {
    outcome_.admitted_tokens += tokens;
    outcome_.cached_tokens += cached;
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

double Recorder::worst_level() const {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t latency = 0; latency < levels_.most.size(); ++latency) {
        for (std::size_t statistic = 0; statistic < shares.size(); ++statistic) {
            const double level = levels_.most[latency][statistic].value();
            if (level == 0.0) continue;
            const double share = outcome_.latency[latency][statistic] / level;
            if (!(share <= worst)) worst = share;
        }
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
