#include "serving/pool_workers.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "dse/base/seed.hpp"
#include "serving/host_copies.hpp"
#include "serving/router.hpp"

namespace dse::serving {
namespace {

/// \param first  the first that may wait behind the new one
void insert_in_turn(std::deque<Passage>& queue, const std::deque<Passage>::iterator& first,
                    const Passage& passage, graph::SchedulingPolicy policy) {
    const auto comes_later = [&](const Passage& other) { return other.priority > passage.priority; };
    queue.insert(
        policy == graph::SchedulingPolicy::fcfs ? queue.end() : std::find_if(first, queue.end(), comes_later),
        passage);
}

}  // namespace

PrefillWorker::PrefillWorker(const ReplicaLimits& limits, StepTime& step_time, const Requests& requests,
                             std::optional<std::uint64_t> rank_seed)
    : limits_{limits},
      host_{limits.engine},
      step_time_{step_time},
      requests_{requests},
      queues_(static_cast<std::size_t>(limits.engine.attention_dp)),
      chunks_(queues_.size()),
      batches_(queues_.size()),
      rank_seed_{rank_seed},
      // The context workers of TensorRT-LLM run without its overlap scheduler (disable_overlap_scheduler).
      works_ahead_{limits.engine.asynchronous && limits.engine.scheduler != graph::Scheduler::tensorrt},
      first_chunk_time_{to_ticks(limits.engine.first_chunk_time.value())} {
    if (!shares_prefixes(limits, requests)) return;
    prefixes_.assign(queues_.size(), PrefixCache{requests.piece_names,
                                                 requests.piece_tokens / limits.page_tokens, limits.pages});
    hosts_.assign(queues_.size(),
                  HostCache{requests.piece_names, limits.host_pages / prefixes_.front().piece_pages()});
    used_pages_.resize(queues_.size());
}

std::size_t PrefillWorker::rank_of(std::uint32_t request) {
    return (rank_seed_ ? seed_of(*rank_seed_, request) : next_++) % queues_.size();
}

void PrefillWorker::push(Passage passage, Ticks now) {
    passage.queued = now;
    std::deque<Passage>& queue = queues_[rank_of(passage.number)];
    const auto has_its_turn = [&](const Passage& other) {
        return other.reads || (works_ahead_ && is_known(other));
    };
    insert_in_turn(queue, std::ranges::find_if_not(queue, has_its_turn), passage,
                   limits_.engine.scheduling_policy);
    ++present_;
}

/// The pieces that a prompt fills completely; none without a prefix cache.
std::span<const std::uint32_t> PrefillWorker::pieces_of(const Passage& passage) const {
    return prefixes_.empty() ? std::span<const std::uint32_t>{} : whole_pieces(requests_, passage.number);
}

PrefillWorker::Found PrefillWorker::find(const Passage& passage, std::size_t rank) const {
    if (prefixes_.empty()) return {};
    const auto pieces = pieces_of(passage);
    Found found;
    found.hits = prefixes_[rank].hits(pieces);
    found.copied = hosts_[rank].hits(pieces.subspan(found.hits));
    const std::size_t all = found.hits + found.copied;
    if (all > 0 && std::cmp_equal(all * requests_.piece_tokens, passage.prompt))
        --(found.copied > 0 ? found.copied : found.hits);
    return found;
}

void PrefillWorker::start(Ticks now, Passage& passage, const Found& found, std::size_t rank) {
    passage.begun = now;
    passage.reads = true;
    passage.used = found.hits;
    if (found.hits + found.copied == 0) return;
    passage.computed = static_cast<std::int64_t>(found.hits + found.copied) * requests_.piece_tokens;
    batches_[rank].copy += to_ticks(limits_.copy_time * static_cast<double>(found.copied) *
                                    static_cast<double>(requests_.piece_tokens));
    for (const std::uint32_t piece : pieces_of(passage).first(found.hits)) {
        if (prefixes_[rank].use(piece)) used_pages_[rank] += prefixes_[rank].piece_pages();
    }
}

/// Its last piece is the first to be forgotten.
void PrefillWorker::keep_pieces(const Passage& passage, std::size_t rank) {
    if (prefixes_.empty()) return;
    PrefixCache& prefixes = prefixes_[rank];
    const auto pieces = pieces_of(passage);
    std::size_t used = passage.used;
    for (; used < pieces.size(); ++used) {
        // Another prompt may have brought it meanwhile.
        if (prefixes.hits(pieces.subspan(used, 1)) > 0) {
            if (prefixes.use(pieces[used])) used_pages_[rank] += prefixes.piece_pages();
            continue;
        }
        if (used_pages_[rank] + prefixes.piece_pages() > limits_.pages) break;
        prefixes.take(prefixes.piece_pages());
        prefixes.add(pieces[used]);
        used_pages_[rank] += prefixes.piece_pages();
    }
    leave_pieces(passage, used, rank);
}

/// It uses this many leading pieces no longer.
void PrefillWorker::leave_pieces(const Passage& passage, std::size_t used, std::size_t rank) {
    const auto pieces = pieces_of(passage);
    while (used > 0) {
        hosts_[rank].keep(pieces[--used]);
        if (prefixes_[rank].leave(pieces[used])) used_pages_[rank] -= prefixes_[rank].piece_pages();
    }
}

void PrefillWorker::drop(Ticks now, std::vector<Passage>& gone) {
    for (std::size_t rank = 0; rank < queues_.size(); ++rank) {
        present_ -= static_cast<std::int64_t>(std::erase_if(queues_[rank], [&](const Passage& passage) {
            if (!passage.gives_up(now)) return false;
            leave_pieces(passage, passage.used, rank);
            gone.push_back(passage);
            return true;
        }));
    }
}

bool PrefillWorker::knows_any() const {
    return std::ranges::any_of(
        queues_, [&](const std::deque<Passage>& queue) { return !queue.empty() && is_known(queue.front()); });
}

void PrefillWorker::fill(Ticks now, std::size_t rank, Recorder& recorder) {
    const graph::ServingEngine& engine = limits_.engine;
    std::vector<Chunk>& chunks = chunks_[rank];
    std::int64_t budget = engine.token_budget;
    for (Passage& passage : queues_[rank]) {
        if (is_composed_ && !is_known(passage)) break;
        const Found found = passage.reads ? Found{} : find(passage, rank);
        const auto copied = static_cast<std::int64_t>(found.copied) * requests_.piece_tokens;
        const auto cached = static_cast<std::int64_t>(found.hits) * requests_.piece_tokens + copied;
        const std::int64_t left = passage.prompt - passage.computed - cached;
        const bool full = std::cmp_greater_equal(chunks.size(), engine.max_sequences);
        if (budget == 0 || full || (!engine.chunked_prefill && left > budget)) break;
        if (!passage.reads) {
            start(now, passage, found, rank);
            recorder.admitted(passage.prompt, cached, copied);
        }
        chunks.push_back({passage.computed, std::min(left, budget)});
        budget -= chunks.back().tokens;
    }
}

/// Prompts leave the cache with their last token: all that is in it is part of the current step.
double PrefillWorker::cache_use() const {
    std::int64_t pages = 0;
    for (const std::vector<Chunk>& chunks : chunks_) {
        for (const Chunk& chunk : chunks) pages += pages_of(limits_, chunk.before + chunk.tokens);
    }
    return static_cast<double>(pages) /
           (static_cast<double>(limits_.pages) * static_cast<double>(chunks_.size()));
}

bool PrefillWorker::leaves_prompt() const {
    for (std::size_t rank = 0; rank < queues_.size(); ++rank) {
        for (std::size_t i = 0; i < chunks_[rank].size(); ++i) {
            const Chunk& chunk = chunks_[rank][i];
            if (chunk.before + chunk.tokens < queues_[rank][i].prompt) return true;
        }
    }
    return false;
}

Ticks PrefillWorker::begin(Ticks now, Recorder& recorder, PoolMeter& meter) {
    std::int64_t reading = 0;
    is_composed_ = works_ahead_ && knows_any();
    for (std::size_t rank = 0; rank < queues_.size(); ++rank) {
        batches_[rank].copy = 0;
        fill(now, rank, recorder);
        batches_[rank].chunks = chunks_[rank];
        reading += std::ssize(chunks_[rank]);
    }
    steps_ = true;
    begun_ = now;
    const Ticks devices = with_copies(step_time_.together(batches_), limits_.engine.host_load, batches_);
    Ticks duration = host_.step(host_.preparation(0), devices, step_time_, batches_);
    if (first_chunk_time_ > 0 && leaves_prompt()) duration += std::exchange(first_chunk_time_, 0);
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
            keep_pieces(passage, rank);
            done.push_back(passage);
            queues_[rank].pop_front();
        }
        chunks_[rank].clear();
    }
    present_ -= static_cast<std::int64_t>(done.size() - before);
    steps_ = false;
}

/// The last token is never cached.
std::int64_t DecodeRank::pages_of(const Passage& passage) const {
    return serving::pages_of(limits_, passage.prompt + passage.output - 1);
}

void DecodeRank::push(const Passage& passage) {
    insert_in_turn(queue_, queue_.begin(), passage, limits_.engine.scheduling_policy);
}

const Decodes& DecodeRank::let_in(Ticks now) {
    while (!queue_.empty() && std::cmp_less(running_.size(), limits_.engine.max_sequences) &&
           pages_of(queue_.front()) <= free_) {
        Passage& passage = queue_.front();
        if (returns_first_) {
            sender_.send(now, 1);
            passage.first_token = sender_.arrived();
            passage.has_first = true;
        }
        free_ -= pages_of(passage);
        ++decodes_.sequences;
        decodes_.context += passage.prompt + 1;
        fresh_.push_back({passage.number, passage.first_token});
        running_.push_back({step_ + passage.output - 1, passage});
        std::push_heap(running_.begin(), running_.end(), std::greater<>{});
        queue_.pop_front();
    }
    return decodes_;
}

void DecodeRank::drop(Ticks now, std::vector<Passage>& gone) {
    const auto leaves = [&](const Passage& passage) {
        if (!passage.gives_up(now)) return false;
        gone.push_back(passage);
        return true;
    };
    std::erase_if(queue_, leaves);
    const std::size_t left = std::erase_if(running_, [&](const Running& one) {
        if (!leaves(one.passage)) return false;
        --decodes_.sequences;
        decodes_.context -= one.passage.prompt + one.passage.output - (one.end - step_);
        free_ += pages_of(one.passage);
        forget(one.passage);
        return true;
    });
    if (left > 0) std::make_heap(running_.begin(), running_.end(), std::greater<>{});
}

void DecodeRank::begin(Ticks now, Ticks duration, Recorder& recorder, PoolMeter& meter) const {
    if (running_.empty()) return;
    const double context = static_cast<double>(decodes_.context) / static_cast<double>(decodes_.sequences);
    const double use = 1.0 - static_cast<double>(free_) / static_cast<double>(limits_.pages);
    const auto waiting = static_cast<std::int64_t>(queue_.size());
    recorder.spent(now, duration, {waiting, decodes_.sequences, decodes_.sequences, context, use, use, 1});
    meter.spent(duration, waiting, use);
}

void DecodeRank::end(Ticks now, Ticks duration, Recorder& recorder, std::vector<Passage>& done) {
    if (running_.empty()) return;
    ++step_;
    // First tokens may have been sent since those of the step before.
    const Ticks before = std::max(now - duration, sent_);
    sender_.send(now, decodes_.sequences);
    sent_ = sender_.arrived();
    recorder.gap(sent_ - before, decodes_.sequences - static_cast<std::int64_t>(fresh_.size()));
    for (const Fresh& one : fresh_) recorder.gap(std::max<Ticks>(0, sent_ - one.first_token), 1);
    std::erase_if(fresh_, [&](const Fresh& one) { return one.first_token <= sent_; });
    decodes_.context += decodes_.sequences;
    while (!running_.empty() && running_.front().end == step_) {
        Passage& passage = running_.front().passage;
        passage.last_token = std::max(sent_, passage.first_token);
        forget(passage);
        --decodes_.sequences;
        decodes_.context -= passage.prompt + passage.output;
        free_ += pages_of(passage);
        done.push_back(passage);
        std::pop_heap(running_.begin(), running_.end(), std::greater<>{});
        running_.pop_back();
    }
}

void DecodeRank::forget(const Passage& passage) {
    std::erase_if(fresh_, [&](const Fresh& one) { return one.number == passage.number; });
}

Ticks DecodeWorker::begin(Ticks now, Recorder& recorder, PoolMeter& meter) {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        batches_[i].decodes = ranks_[i].let_in(now);
        most = std::max(most, batches_[i].decodes.sequences);
    }
    if (most == 0) return 0;
    duration_ = host_.step(host_.preparation(most), step_time_.together(batches_), step_time_, batches_);
    for (const DecodeRank& rank : ranks_) rank.begin(now, duration_, recorder, meter);
    return duration_;
}

void DecodeWorker::end(Ticks now, Recorder& recorder, std::vector<Passage>& done) {
    for (DecodeRank& rank : ranks_) rank.end(now, duration_, recorder, done);
    duration_ = 0;
}

}  // namespace dse::serving
