#include "dse/serving/replica.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"
#include "serving/kept_share.hpp"
#include "serving/router.hpp"

namespace dse::serving {
namespace {

/// Comparator of a heap with the earliest end on top.
struct Later {
    template <class End>
    bool operator()(const End& a, const End& b) const {
        return a.step != b.step ? a.step > b.step : a.admitted > b.admitted;
    }
};

}  // namespace

bool shares_prefixes(const ReplicaLimits& limits, const Requests& requests) {
    return limits.engine.prefix_cache && !requests.first_piece.empty() &&
           requests.piece_tokens % limits.page_tokens == 0;
}

Replica::Replica(const ReplicaLimits& limits, const Share& share, Recorder& recorder)
    : limits_{limits},
      watermark_pages_{
          static_cast<std::int64_t>(limits.engine.watermark * static_cast<double>(limits.pages))},
      look_every_{limits.look_every > 0 ? limits.look_every : limits.engine.receive_every},
      tokenize_time_{to_ticks(limits.engine.tokenize_time.value())},
      request_time_{to_ticks(limits.engine.request_time.value())},
      sender_{to_ticks(limits.engine.send_time.value())},
      recorder_{recorder},
      cache_{limits.pages, limits.page_tokens},
      prefixes_{shares_prefixes(limits, share.requests) ? share.requests.piece_names : 0,
                share.requests.piece_tokens / limits.page_tokens, limits.pages},
      adapters_{limits.adapters, limits.engine.max_loras},
      share_{share},
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
    for (std::int64_t i = 0; i < share_.clients && sent_ < count(); ++i) send_next();
    if (!is_closed() && share_.routed == nullptr) {
        sent_ = count();
        expect_next();
    }
}

void Replica::close() {
    recorder_.ended(std::max(finished_, sender_.arrived()));
    DSE_ENSURE(cache_.used() == 0 && reserved_ == 0);
}

void Replica::look() {
    looked_ = looks();
    if (looked_) receive();
}

void Replica::rest(Ticks until) {
    now_ = until;
    unlooked_ = look_every_;
    kept_ = first_share;
}

void Replica::begin() {
    if (looked_) unlooked_ = 0;
    load_before_ = sent_ - answered_;
}

// ---- Requests ----

std::size_t Replica::count() const {
    if (share_.routed != nullptr) return share_.routed->size();
    const std::size_t all = share_.requests.all.size();
    return all > share_.first ? (all - share_.first - 1) / share_.stride + 1 : 0;
}

Request& Replica::request(std::size_t number) const {
    if (share_.routed != nullptr) return share_.routed->request(number);
    return share_.requests.all[place_of(number)];
}

std::size_t Replica::place_of(std::size_t number) const {
    return share_.routed != nullptr ? share_.routed->place(number) : share_.first + number * share_.stride;
}

void Replica::receive() {
    while (ready_ <= now_) {
        receive_one();
        expect_next();
    }
}

void Replica::receive_one() {
    const Request& next = request(received_);
    recorder_.arrived(now_ - next.arrival);
    if (has_adapters()) adapters_.wait(next.adapter, received_);
    ++received_;
}

/// In a closed loop: sends the next request when the last answer has arrived.
void Replica::send_next() {
    request(sent_++).arrival = std::max(now_, sender_.arrived());
    if (ready_ == never) expect_next();
}

/// Prompts are tokenized one at a time, in order of arrival.
void Replica::expect_next() {
    ready_ = never;
    if (received_ == sent_) return;
    const Request& next = request(received_);
    tokenized_ = std::max(tokenized_, next.arrival) + tokenize_time_ * next.prompt;
    ready_ = tokenized_ + request_time_;
}

// ---- Steps ----

bool Replica::plan() {
    chunks_.clear();
    readers_.clear();
    loads_ = 0;
    if (prompts_first()) return plan_apart();
    turned_out_ = make_room();
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
    return {chunks_, apart ? Decodes{} : decodes_, std::ssize(adapters_.active()), loads_};
}

void Replica::pass(Ticks duration) {
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
/// admitted last are preempted. \returns how many were
std::int64_t Replica::make_room() {
    const std::int64_t needed = cache_.needed(step_number_);
    if (needed <= cache_.free()) {
        take(needed);
        return 0;
    }
    std::int64_t preempted = 0;
    for (Slot slot = head_; slot != nobody && at(slot).decodes; slot = at(slot).after) {
        if ((at(slot).offset + step_number_) % limits_.page_tokens != 0) continue;
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
    if (pages > cache_.free()) {
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
    // At least one token has to be processed: the one that yields the next token.
    if (entry.hits > 0 && std::cmp_equal(entry.hits * share_.requests.piece_tokens, target)) --entry.hits;
    const std::int64_t cached = static_cast<std::int64_t>(entry.hits) * share_.requests.piece_tokens;
    if (!limits_.engine.chunked_prefill && target - cached > budget) return {};
    entry.tokens = std::min(target - cached, budget);
    entry.pages = cache_.pages_of(cached + entry.tokens) - cache_.pages_of(cached);
    entry.idle_pages = prefixes_.idle_pages(pieces.first(entry.hits));
    const bool enters = prompts_first() ? has_tokens(entry, whole_tokens(first) - cached)
                                        : has_room(entry.pages + entry.idle_pages, first);
    if (!enters) return {};
    return entry;
}

void Replica::admit(const Entry& entry, std::int64_t& budget) {
    const Slot slot = next_slot();
    Sequence& sequence = at(slot);
    append(slot);
    for (const std::uint32_t piece : sequence.pieces.first(entry.hits)) {
        if (prefixes_.use(piece)) cache_.take(prefixes_.piece_pages());
        sequence.used.push_back(piece);
    }
    if (has_adapters() && adapters_.enter(sequence.request->adapter)) ++loads_;
    sequence.looked_at = entry.hits;
    sequence.computed = static_cast<std::int64_t>(entry.hits) * share_.requests.piece_tokens;
    take(entry.pages);
    reserved_ += whole_pages(*sequence.request);
    recorder_.admitted(sequence.target, sequence.computed);
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
    chunks_.clear();
    readers_.clear();
    turned_out_ = 0;
    loads_ = 0;
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

// ---- Sequences ----

Replica::Slot Replica::first_preempted() const {
    if (preempted_.empty()) return nobody;
    if (!prompts_first()) return preempted_.back();
    return places_.front() <= next_ ? preempted_.front() : nobody;
}

/// Preempted requests come first, and others in order of arrival. With all places for adapters in use, all
/// schedulers but sglang look for the first whose adapter has one.
Replica::Waiter Replica::first_waiting() const {
    if (const Slot slot = first_preempted(); slot != nobody && allows(*at(slot).request))
        return {slot, 0, true};
    const bool passes_over = !prompts_first();
    if (passes_over) {
        for (auto slot = preempted_.rbegin(); slot != preempted_.rend(); ++slot) {
            if (allows(*at(*slot).request)) return {*slot, 0, true};
        }
    } else if (first_preempted() != nobody) {
        return {};
    }
    if (received_ - next_ == passed_over_) return {};
    if (allows(request(next_))) return {nobody, next_, true};
    if (!passes_over) return {};
    std::size_t first = AdapterSlots::nobody;
    for (const std::uint32_t adapter : adapters_.active()) first = std::min(first, adapters_.first(adapter));
    return {nobody, first, first != AdapterSlots::nobody};
}

/// A new request enters.
void Replica::take_number(std::size_t number) {
    if (!has_adapters()) {
        ++next_;
        return;
    }
    adapters_.pop(request(number).adapter);
    ++passed_over_;
    // The first that waits is the first of its adapter.
    while (next_ < received_ && adapters_.first(request(next_).adapter) != next_) {
        ++next_;
        --passed_over_;
    }
}

/// A slot for the first waiting request.
Replica::Slot Replica::next_slot() {
    const Waiter waiter = first_waiting();
    if (waiter.slot != nobody) {
        if (prompts_first()) {
            preempted_.erase(preempted_.begin());
            places_.erase(places_.begin());
        } else {
            preempted_.erase(std::ranges::find(preempted_, waiter.slot));
        }
        return waiter.slot;
    }
    if (free_slots_.empty()) {
        // In SGLang, preempted sequences may wait behind this request and still hold their slots.
        free_slots_.push_back(static_cast<Slot>(sequences_.size()));
        sequences_.emplace_back();
    }
    const Slot slot = free_slots_.back();
    free_slots_.pop_back();
    Sequence& sequence = at(slot);
    std::vector<std::uint32_t> used = std::move(sequence.used);  // reuses its memory
    sequence = Sequence{};
    sequence.used = std::move(used);
    sequence.pieces = pieces_of(waiter.number);
    sequence.number = waiter.number;
    sequence.request = &request(waiter.number);
    take_number(waiter.number);
    sequence.target = sequence.request->prompt;
    return slot;
}

void Replica::append(Slot slot) {
    at(slot).admitted = admitted_++;
    at(slot).before = tail_;
    at(slot).after = nobody;
    (tail_ == nobody ? head_ : at(tail_).after) = slot;
    tail_ = slot;
    ++running_;
}

void Replica::remove(Slot slot) {
    Sequence& sequence = at(slot);
    leave_pieces(slot);
    if (has_adapters()) adapters_.leave(sequence.request->adapter);
    reserved_ -= whole_pages(*sequence.request);
    if (sequence.decodes) stop_decoding(slot);
    if (slot == reader_) reader_ = nobody;
    (sequence.before == nobody ? head_ : at(sequence.before).after) = sequence.after;
    (sequence.after == nobody ? tail_ : at(sequence.after).before) = sequence.before;
    --running_;
}

/// Pieces that the sequence has pages for are from now on available to others.
void Replica::add_pieces(Slot slot, std::int64_t tokens) {
    Sequence& sequence = at(slot);
    for (; sequence.looked_at < sequence.pieces.size(); ++sequence.looked_at) {
        if (std::cmp_greater((sequence.looked_at + 1) * share_.requests.piece_tokens, tokens)) return;
        const std::uint32_t piece = sequence.pieces[sequence.looked_at];
        if (prefixes_.add(piece)) sequence.used.push_back(piece);
    }
}

/// Frees all pages of the sequence, except those of pieces that others use. The last piece is freed first.
void Replica::leave_pieces(Slot slot) {
    Sequence& sequence = at(slot);
    const std::int64_t shared = static_cast<std::int64_t>(sequence.used.size()) * prefixes_.piece_pages();
    give(held_pages(sequence) - shared);
    for (; !sequence.used.empty(); sequence.used.pop_back()) {
        if (prefixes_.leave(sequence.used.back())) cache_.give(prefixes_.piece_pages());
    }
}

/// The pieces that a request's prompt fills completely; none without a prefix cache.
std::span<const std::uint32_t> Replica::pieces_of(std::size_t number) const {
    const bool is_sharing = shares_prefixes(limits_, share_.requests);
    return is_sharing ? whole_pieces(share_.requests, place_of(number)) : std::span<const std::uint32_t>{};
}

void Replica::take(std::int64_t pages) {
    cache_.take(pages);
    prefixes_.take(pages);
}

void Replica::give(std::int64_t pages) {
    cache_.give(pages);
    prefixes_.give(pages);
}

void Replica::start_decoding(Slot slot) {
    Sequence& sequence = at(slot);
    sequence.decodes = true;
    sequence.offset = sequence.computed - step_number_;
    sequence.finish = step_number_ + sequence.request->output - sequence.generated;
    cache_.join(sequence.offset);
    ++decodes_.sequences;
    decodes_.context += sequence.computed + 1;
    finishes_ += sequence.finish;
    if (prompts_first()) {
        sequence.last_token = sender_.arrived();
        fresh_.push_back(slot);
    }
    if (ends_.size() == ends_.capacity()) drop_stale_ends();
    ends_.push_back({sequence.finish, sequence.admitted, slot});
    std::push_heap(ends_.begin(), ends_.end(), Later{});
}

void Replica::stop_decoding(Slot slot) {
    Sequence& sequence = at(slot);
    cache_.leave(sequence.offset);
    --decodes_.sequences;
    decodes_.context -= sequence.offset + step_number_ + 1;
    finishes_ -= sequence.finish;
    sequence.decodes = false;
}

void Replica::preempt(Slot slot) {
    Sequence& sequence = at(slot);
    if (sequence.decodes) {
        sequence.generated = sequence.request->output - (sequence.finish - step_number_);
        const bool waited = std::erase(fresh_, slot) > 0;  // since its first token
        if (!waited) sequence.last_token = prompts_first() ? last_decoded_ : sender_.arrived();
    }
    remove(slot);
    sequence.target = sequence.request->prompt + sequence.generated;
    sequence.computed = 0;
    preempted_.push_back(slot);
    if (prompts_first()) places_.push_back(received_);
    recorder_.preempted();
}

void Replica::finish(Slot slot) {
    remove(slot);
    recorder_.answered({*at(slot).request, at(slot).first_token, sender_.arrived(), share_.replica});
    free_slots_.push_back(slot);
    ++answered_;
    if (share_.routed != nullptr) share_.routed->answered(at(slot).number);
    if (is_closed() && sent_ < count()) send_next();
}

void Replica::finish_those_done() {
    while (!ends_.empty() && ends_.front().step <= step_number_) {
        const End end = ends_.front();
        std::pop_heap(ends_.begin(), ends_.end(), Later{});
        ends_.pop_back();
        if (at(end.slot).decodes && at(end.slot).finish == end.step) finish(end.slot);
    }
}

/// Drops the ends of sequences that have been preempted since.
void Replica::drop_stale_ends() {
    const auto is_stale = [&](const End& end) {
        return !at(end.slot).decodes || at(end.slot).finish != end.step;
    };
    if (ends_.size() == ends_.capacity()) {
        ends_.erase(std::remove_if(ends_.begin(), ends_.end(), is_stale), ends_.end());
        std::make_heap(ends_.begin(), ends_.end(), Later{});
    }
    while (!ends_.empty() && is_stale(ends_.front())) {
        std::pop_heap(ends_.begin(), ends_.end(), Later{});
        ends_.pop_back();
    }
}

std::int64_t Replica::held_pages(const Sequence& sequence) const {
    return cache_.pages_of(sequence.decodes ? sequence.offset + step_number_ : sequence.computed);
}

/// The last token is never cached.
std::int64_t Replica::whole_pages(const Request& request) const {
    return cache_.pages_of(whole_tokens(request));
}

double Replica::use_of(std::int64_t pages) const {
    return static_cast<double>(pages) / static_cast<double>(cache_.pages());
}

void Replica::report(Ticks duration, std::int64_t steps) const {
    if (!watch_) return;
    const Batch now = batch();
    watch_({now_, duration, now.decodes, now.chunks, steps, turned_out_});
}

}  // namespace dse::serving
