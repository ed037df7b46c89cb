#include "serving/pool_workers.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace dse::serving {
namespace {

/// Duration of a step including the host's work for it.
Ticks with_host_of(const graph::ServingEngine& engine, Ticks devices, std::int64_t sequences) {
    const Ticks host =
        to_ticks(engine.host_time.value()) + to_ticks(engine.host_time_sequence.value()) * sequences;
    return engine.asynchronous ? std::max(host, devices) : host + devices;
}

}  // namespace

void PrefillWorker::fill(Ticks now, std::deque<Passage>& queue, std::vector<Chunk>& chunks) const {
    const graph::ServingEngine& engine = limits_.engine;
    std::int64_t budget = engine.token_budget;
    for (Passage& passage : queue) {
        const std::int64_t left = passage.prompt - passage.computed;
        const bool full = std::cmp_greater_equal(chunks.size(), engine.max_sequences);
        if (budget == 0 || full || (!engine.chunked_prefill && left > budget)) break;
        if (passage.computed == 0) passage.begun = now;
        chunks.push_back({passage.computed, std::min(left, budget)});
        budget -= chunks.back().tokens;
    }
}

/// Prompts leave the cache with their last token: all that is in it is part of the current step.
double PrefillWorker::cache_use() const {
    std::int64_t pages = 0;
    for (const std::vector<Chunk>& chunks : chunks_) {
        for (const Chunk& chunk : chunks)
            pages += (chunk.before + chunk.tokens + limits_.page_tokens - 1) / limits_.page_tokens;
    }
    return static_cast<double>(pages) /
           (static_cast<double>(limits_.pages) * static_cast<double>(chunks_.size()));
}

Ticks PrefillWorker::begin(Ticks now, Recorder& recorder, PoolMeter& meter) {
    std::int64_t reading = 0;
    for (std::size_t rank = 0; rank < queues_.size(); ++rank) {
        fill(now, queues_[rank], chunks_[rank]);
        reading += std::ssize(chunks_[rank]);
    }
    steps_ = true;
    const Ticks duration = with_host_of(limits_.engine, step_time_.together(chunks_), 0);
    recorder.spent(now, duration, {present_ - reading, reading, 0, 0, 0, 0, 1});
    meter.spent(duration, present_ - reading, cache_use());
    return duration;
}

void PrefillWorker::end(std::vector<Passage>& done) {
    const std::size_t before = done.size();
    for (std::size_t rank = 0; rank < queues_.size(); ++rank) {
        for (const Chunk& chunk : chunks_[rank]) {
            Passage& passage = queues_[rank].front();
            passage.computed += chunk.tokens;
            if (passage.computed < passage.prompt) break;  // the last one
            done.push_back(passage);
            queues_[rank].pop_front();
        }
        chunks_[rank].clear();
    }
    present_ -= static_cast<std::int64_t>(done.size() - before);
    steps_ = false;
}

/// The last token is never cached.
std::int64_t DecodeWorker::pages_of(const Passage& passage) const {
    return (passage.prompt + passage.output - 1 + limits_.page_tokens - 1) / limits_.page_tokens;
}

void DecodeWorker::let_in(Ticks now) {
    while (!queue_.empty() && std::cmp_less(running_.size(), limits_.engine.max_sequences) &&
           pages_of(queue_.front()) <= free_) {
        Passage& passage = queue_.front();
        if (returns_first_) passage.first_token = now;
        free_ -= pages_of(passage);
        ++decodes_.sequences;
        decodes_.context += passage.prompt + 1;
        fresh_.push_back(passage.first_token);
        running_.push_back({step_ + passage.output - 1, passage});
        std::push_heap(running_.begin(), running_.end(), std::greater<>{});
        queue_.pop_front();
    }
}

Ticks DecodeWorker::begin(Ticks now, Recorder& recorder, PoolMeter& meter) {
    let_in(now);
    if (running_.empty()) return 0;
    steps_ = true;
    const Ticks devices = step_time_.decode(decodes_).at(decodes_.context);
    const Ticks duration = with_host_of(limits_.engine, devices, decodes_.sequences);
    const double context = static_cast<double>(decodes_.context) / static_cast<double>(decodes_.sequences);
    const double use = 1.0 - static_cast<double>(free_) / static_cast<double>(limits_.pages);
    const auto waiting = static_cast<std::int64_t>(queue_.size());
    recorder.spent(now, duration, {waiting, decodes_.sequences, decodes_.sequences, context, use, use, 1});
    meter.spent(duration, waiting, use);
    return duration;
}

void DecodeWorker::end(Ticks now, Ticks duration, Recorder& recorder, std::vector<Passage>& done) {
    steps_ = false;
    ++step_;
    recorder.gap(duration, decodes_.sequences - static_cast<std::int64_t>(fresh_.size()));
    for (const Ticks first_token : fresh_) recorder.gap(now - first_token, 1);
    fresh_.clear();
    decodes_.context += decodes_.sequences;
    while (!running_.empty() && running_.front().end == step_) {
        const Passage& passage = running_.front().passage;
        --decodes_.sequences;
        decodes_.context -= passage.prompt + passage.output;
        free_ += pages_of(passage);
        done.push_back(passage);
        std::pop_heap(running_.begin(), running_.end(), std::greater<>{});
        running_.pop_back();
    }
}

}  // namespace dse::serving
