#include "dse/serving/replica.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"
#include "serving/kept_share.hpp"
#include "serving/router.hpp"

namespace dse::serving {

bool shares_prefixes(const ReplicaLimits& limits, const Requests& requests) {
    return limits.engine.prefix_cache && !requests.first_piece.empty() &&
           requests.piece_tokens % limits.page_tokens == 0;
}

bool finds_pages_again(const graph::ServingEngine& engine) {
    return engine.prefix_cache && engine.scheduler == graph::Scheduler::vllm;
}

Replica::Replica(const ReplicaLimits& limits, const Share& share, Recorder& recorder)
    : limits_{limits},
      watermark_pages_{
          static_cast<std::int64_t>(limits.engine.watermark * static_cast<double>(limits.pages))},
      look_every_{limits.look_every > 0 ? limits.look_every : limits.engine.receive_every},
      sender_{to_ticks(limits.engine.send_time.value())},
      recorder_{recorder},
      cache_{limits.pages, limits.page_tokens},
      prefixes_{shares_prefixes(limits, share.requests) ? share.requests.piece_names : 0,
                share.requests.piece_tokens / limits.page_tokens, limits.pages,
                finds_pages_again(limits.engine) ? static_cast<std::size_t>(limits.engine.max_sequences) : 0},
      host_cache_{shares_prefixes(limits, share.requests) ? share.requests.piece_names : 0,
                  shares_prefixes(limits, share.requests) ? limits.host_pages / prefixes_.piece_pages() : 0},
      adapters_{limits.adapters, limits.engine.max_loras},
      requests_{share.requests},
      inbox_{limits.engine, share},
      number_{share.replica},
      by_priority_{limits.engine.scheduling_policy == graph::SchedulingPolicy::priority},
      kept_{first_share} {
    const std::int64_t most = limits.engine.max_sequences;
    DSE_EXPECT(most <= limits.engine.token_budget);
    sequences_.resize(static_cast<std::size_t>(most));
    free_slots_.resize(static_cast<std::size_t>(most));
    // Slots are taken from the back, lowest number first.
    for (std::int64_t i = 0; i < most; ++i)
        free_slots_[static_cast<std::size_t>(i)] = static_cast<Slot>(most - 1 - i);
    preempted_.reserve(free_slots_.size());
    places_.reserve(free_slots_.size());
    fresh_.reserve(free_slots_.size());
    ends_.reserve(4 * free_slots_.size());
    chunks_.reserve(free_slots_.size());
    readers_.reserve(free_slots_.size());
    named_.reserve(static_cast<std::size_t>(std::min(limits.adapters, limits.engine.max_loras)));
}

void Replica::open() {
    inbox_.open();
}

void Replica::close() {
    recorder_.ended(std::max(finished_, sender_.arrived()));
    DSE_ENSURE(cache_.used() == 0 && reserved_ == 0);
    DSE_ENSURE(free_slots_.size() == sequences_.size());
}

void Replica::look() {
    looked_ = looks();
    if (!looked_) return;
    receive();
    give_up();
}

void Replica::rest(Ticks until) {
    now_ = until;
    unlooked_ = look_every_;
    kept_ = first_share;
}

void Replica::begin() {
    if (looked_) unlooked_ = 0;
    load_before_ = inbox_.sent() - answered_;
}

// ---- Requests ----

void Replica::receive() {
    const Ticks latest = is_ahead() ? begun_ : now_;
    while (inbox_.ready() <= latest) receive_one();
}

void Replica::receive_one() {
    const std::size_t number = inbox_.received();
    const Request& next = request(number);
    recorder_.arrived(now_ - next.arrival);
    if (has_adapters()) adapters_.wait(next.adapter, number);
    if (by_priority_) turns_.insert(turn_of(next, number, nobody));
    await_end(number);
    inbox_.receive();
}

// ---- Steps ----

bool Replica::plan() {
    chunks_.clear();
    readers_.clear();
    loads_ = 0;
    copied_ = 0;
    if (prompts_first()) return plan_apart();
    turned_out_ = by_priority_ ? make_room_by_priority() : make_room();
    std::int64_t budget = limits_.engine.token_budget - decodes_.sequences;
    const bool holds = holds_prompts(budget);
    if (reader_ != nobody && !holds) read_on(budget, turned_out_);
    while (turned_out_ == 0 && !holds) {
        const Entry next = entry(budget);
        if (next.tokens == 0) break;
        admit(next, budget);
        passed_ = at(readers_.back()).number + 1;
    }
    passed_ = 0;
    return !chunks_.empty() || decodes_.sequences > 0;  // or all were preempted
}

Batch Replica::batch() const {
    const bool apart = prompts_first() && !chunks_.empty();
    return {chunks_, apart ? Decodes{} : decodes_, std::ssize(adapters_.active()), loads_, copy_time()};
}

Ticks Replica::copy_time() const {
    return to_ticks(limits_.copy_time * static_cast<double>(copied_));
}

void Replica::pass(Ticks duration) {
    begun_ = now_;
    if (chunks_.empty() && decodes_.sequences == 0) return wait(duration);
    if (prompts_first()) return pass_apart(duration);
    const Ticks before = std::max(now_, sender_.arrived());
    send_tokens(now_ + duration, decodes_.sequences);
    recorder_.gap(sender_.arrived() - before, decodes_.sequences);
    const double use = use_of(cache_.used());
    const double context = decodes_.sequences > 0 ? static_cast<double>(decodes_.context) /
                                                        static_cast<double>(decodes_.sequences)
                                                  : 0.0;
    recorder_.spent(now_, duration, {waiting(), running_, decodes_.sequences, context, use, use, 1});
    report(duration, 1);
    end_step(duration);
}

/// Takes part in a step of others, without a batch.
void Replica::wait(Ticks duration) {
    const double use = use_of(cache_.used());
    if (!is_idle()) recorder_.spent(now_, duration, {waiting(), running_, 0, 0.0, use, use, 0});
    now_ += duration;
    unlooked_ = look_every_;
}

/// Takes pages for the decoding sequences, in order of admission; if there are too few, the sequences
/// admitted last are preempted.
/// \returns how many were
std::int64_t Replica::make_room() {
    const std::int64_t needed = cache_.needed(step_number_);
    if (needed <= cache_.free()) {
        take(needed);
        return 0;
    }
    std::int64_t preempted = 0;
    for (Slot slot = head_; slot != nobody && at(slot).decodes; slot = at(slot).after) {
        if (!takes_page(at(slot))) continue;
        while (cache_.free() == 0) {
            const Slot victim = tail_;
            preempt(victim);
            ++preempted;
            if (victim == slot) return preempted;
        }
        take(1);
    }
    return preempted;
}

/// Processes the next chunk of the prompt that is under way.
void Replica::read_on(std::int64_t& budget, std::int64_t& preempted) {
    const Sequence& sequence = at(reader_);
    const std::int64_t tokens = std::min(sequence.target - sequence.computed, budget);
    const std::int64_t pages =
        cache_.pages_of(sequence.computed + tokens) - cache_.pages_of(sequence.computed);
    if (by_priority_) {
        make_room_for_reader(pages, preempted);
        if (reader_ == nobody) return;
    } else if (pages > cache_.free()) {
        // The reader itself is the sequence admitted last.
        preempt(reader_);
        ++preempted;
        return;
    }
    take(pages);
    add_pieces(reader_, sequence.computed + tokens);
    chunks_.push_back({sequence.computed, tokens});
    readers_.push_back(reader_);
    budget -= tokens;
}

bool Replica::has_room(std::int64_t pages, const Request& request) const {
    if (limits_.engine.scheduler == graph::Scheduler::tensorrt)
        return reserved_ + whole_pages(request) <= cache_.pages();
    const std::int64_t kept = running_ > 0 ? watermark_pages_ : 0;
    return pages + kept <= cache_.free();
}

Replica::Entry Replica::entry(std::int64_t budget) const {
    if (waiting() == 0 || budget <= 0 || running_ >= limits_.engine.max_sequences) return {};
    const Waiter waiter = first_waiting();
    if (!waiter.exists || !may_pass(waiter)) return {};
    const Slot again = waiter.slot;
    const Request& first = again != nobody ? *at(again).request : request(waiter.number);
    const auto pieces = again != nobody ? at(again).pieces : pieces_of(waiter.number);
    const std::int64_t target = again != nobody ? at(again).target : first.prompt;
    Entry entry;
    entry.hits = prefixes_.hits(pieces);
    entry.copied = host_cache_.hits(pieces.subspan(entry.hits));
    const std::size_t found = entry.hits + entry.copied;
    // At least one token has to be processed: the one that yields the next token.
    if (found > 0 && std::cmp_equal(found * requests_.piece_tokens, target))
        --(entry.copied > 0 ? entry.copied : entry.hits);
    if (again != nobody && entry.hits + entry.copied == pieces.size()) entry.left = left_behind(again);
    const std::int64_t cached = cached_tokens(entry);
    if (!limits_.engine.chunked_prefill && target - cached > budget) return {};
    entry.tokens = std::min(target - cached, budget);
    entry.pages = cache_.pages_of(cached + entry.tokens) - cache_.pages_of(cached) + limits_.state_pages +
                  static_cast<std::int64_t>(entry.copied) * prefixes_.piece_pages();
    entry.idle_pages = prefixes_.idle_pages(pieces.first(entry.hits)) + entry.left;
    const bool enters = prompts_first() ? has_tokens(entry, whole_tokens(first) - tokens_in(entry.hits))
                                        : has_room(entry.pages + entry.idle_pages, first);
    if (!enters) return {};
    return entry;
}

std::int64_t Replica::cached_tokens(const Entry& entry) const {
    return tokens_in(entry.hits + entry.copied) + entry.left * limits_.page_tokens;
}

void Replica::admit(const Entry& entry, std::int64_t& budget) {
    const Slot slot = next_slot();
    Sequence& sequence = at(slot);
    append(slot);
    for (const std::uint32_t piece : sequence.pieces.first(entry.hits)) {
        if (prefixes_.use(piece)) cache_.take(prefixes_.piece_pages());
        sequence.used.push_back(piece);
    }
    if (entry.left > 0) {
        prefixes_.take_up(static_cast<std::uint32_t>(slot));
        cache_.take(entry.left);
    } else {
        prefixes_.forget(static_cast<std::uint32_t>(slot));
    }
    if (has_adapters() && adapters_.enter(sequence.request->adapter)) ++loads_;
    sequence.looked_at = entry.hits;
    sequence.computed = cached_tokens(entry);
    take(entry.pages);
    reserved_ += whole_pages(*sequence.request);
    const std::int64_t copied = tokens_in(entry.copied);
    copied_ += copied;
    recorder_.admitted(sequence.target, sequence.computed, copied);
    add_pieces(slot, sequence.computed + entry.tokens);
    chunks_.push_back({sequence.computed, entry.tokens});
    readers_.push_back(slot);
    budget -= entry.tokens;
    if (sequence.computed + entry.tokens < sequence.target) reader_ = slot;
    promised_ += whole_tokens(*sequence.request) - sequence.computed - entry.tokens;
}

void Replica::end_step(Ticks duration) {
    finished_ = now_ += duration;
    ++step_number_;
    unlooked_ = decodes_.sequences > 0 ? unlooked_ + 1 : look_every_;
    decodes_.context += decodes_.sequences;
    decay(1);
    finish_those_done();
    read();
}

/// The tokens processed in the step are now cached.
void Replica::read() {
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        Sequence& sequence = at(readers_[i]);
        sequence.computed += chunks_[i].tokens;
        if (sequence.computed == sequence.target) generate(readers_[i]);
    }
}

/// A completed prefill yields a token.
void Replica::generate(Slot slot) {
    Sequence& sequence = at(slot);
    if (slot == reader_) reader_ = nobody;
    if (sequence.generated == 0) {
        sequence.first_token = sender_.arrived();
    } else {
        recorder_.gap(sender_.arrived() - sequence.last_token, 1);
    }
    ++sequence.generated;
    sequence.generated == sequence.request->output ? finish(slot) : start_decoding(slot);
}

// ---- Runs of decode steps ----

bool Replica::only_decodes() const {
    if (reader_ != nobody || running_ == 0) return false;
    // The reserved share changes with every step.
    if (prompts_first() && (!fresh_.empty() || last_decode_ != now_ || waiting() > 0)) return false;
    const std::int64_t needed = cache_.needed(step_number_);
    if (needed > cache_.free() || (needed > 0 && may_lose_hits())) return false;
    return entry(limits_.engine.token_budget - running_).tokens == 0;
}

bool Replica::may_lose_hits() const {
    if (waiting() == 0) return false;
    const Waiter waiter = first_waiting();
    if (!waiter.exists) return false;
    if (waiter.slot != nobody && left_behind(waiter.slot) > 0) return true;
    const auto pieces = waiter.slot == nobody ? pieces_of(waiter.number) : at(waiter.slot).pieces;
    return prefixes_.hits(pieces) > 0;
}

std::int64_t Replica::steps_until_end(std::int64_t most) {
    drop_stale_ends();
    std::int64_t steps = std::min(most, ends_.front().step - step_number_);
    steps = cache_.steps_that_fit(step_number_, steps);
    if (!may_lose_hits()) return steps;
    std::int64_t until = 1;
    while (until < steps && cache_.needed(step_number_ + until) == 0) ++until;
    return until;
}

void Replica::jump(const Pace& pace, std::int64_t steps) {
    const Ticks duration = pace.duration(steps);
    begun_ = now_ + pace.duration(steps - 1);
    chunks_.clear();
    readers_.clear();
    turned_out_ = 0;
    loads_ = 0;
    copied_ = 0;
    if (is_idle()) return wait(duration);
    const std::int64_t first_use = cache_.used() + cache_.needed(step_number_);
    prefixes_.take(cache_.advance(step_number_, steps));
    const double last_use = use_of(cache_.used());
    const double context = static_cast<double>(decodes_.context) / static_cast<double>(decodes_.sequences) +
                           0.5 * static_cast<double>(steps - 1);
    sender_.send(now_, pace, steps, decodes_.sequences, [&](Ticks first, Ticks growth, std::int64_t number) {
        recorder_.decode_steps(first, growth, decodes_.sequences, number);
    });
    recorder_.spent(now_, duration,
                    {waiting(), running_, decodes_.sequences, context, 0.5 * (use_of(first_use) + last_use),
                     last_use, steps});
    report(duration, steps);
    finished_ = now_ += duration;
    step_number_ += steps;
    unlooked_ = (unlooked_ + steps - 1) % look_every_ + 1;
    decodes_.context += steps * decodes_.sequences;
    decay(steps);
    finish_those_done();
}

// ---- What a step reports ----

double Replica::use_of(std::int64_t pages) const {
    return static_cast<double>(pages) / static_cast<double>(cache_.pages());
}

void Replica::report(Ticks duration, std::int64_t steps) const {
    if (!watch_) return;
    const Batch now = batch();
    watch_({now_, duration, now.decodes, now.chunks, steps, turned_out_});
}

}  // namespace dse::serving
