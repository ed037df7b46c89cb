// Sequences of a replica: who enters next, and what each holds until it ends or is preempted.
#include <algorithm>
#include <utility>

#include "dse/serving/replica.hpp"
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

Replica::Slot Replica::first_preempted() const {
    if (preempted_.empty()) return nobody;
    if (!prompts_first()) return preempted_.back();
    return places_.front() <= next_ ? preempted_.front() : nobody;
}

/// Preempted requests come first, and others in order of arrival. With all places for adapters in use, all
/// schedulers but sglang look for the first whose adapter has one.
Replica::Waiter Replica::first_waiting() const {
    if (by_priority_)
        return turns_.empty() ? Waiter{} : Waiter{turns_.begin()->slot, turns_.begin()->number, true};
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
    if (inbox_.received() - next_ == passed_over_) return {};
    if (allows(request(next_))) return {nobody, next_, true};
    if (!passes_over) return {};
    std::size_t first = AdapterSlots::nobody;
    for (const std::uint32_t adapter : adapters_.active()) first = std::min(first, adapters_.first(adapter));
    return {nobody, first, first != AdapterSlots::nobody};
}

/// A new request enters.
void Replica::take_number(std::size_t number) {
    if (by_priority_) return;
    if (has_adapters()) {
        adapters_.pop(request(number).adapter);
        ++passed_over_;
    } else {
        ++next_;
    }
    skip_entered();
}

/// A slot for the first waiting request.
Replica::Slot Replica::next_slot() {
    const Waiter waiter = first_waiting();
    if (by_priority_) turns_.erase(turns_.begin());
    if (waiter.slot != nobody) {
        if (by_priority_) return waiter.slot;
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
    if (const auto found = unended_.find(waiter.number); found != unended_.end()) found->second = slot;
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

void Replica::remove(Slot slot, std::int64_t left) {
    Sequence& sequence = at(slot);
    leave_pieces(slot, left);
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
        if (std::cmp_greater((sequence.looked_at + 1) * requests_.piece_tokens, tokens)) return;
        const std::uint32_t piece = sequence.pieces[sequence.looked_at];
        if (prefixes_.add(piece)) sequence.used.push_back(piece);
    }
}

/// Frees all pages of the sequence, except those of pieces that others use. The last page is freed first.
void Replica::leave_pieces(Slot slot, std::int64_t left) {
    Sequence& sequence = at(slot);
    std::int64_t plain = held_pages(sequence) - left -
                         static_cast<std::int64_t>(sequence.used.size()) * prefixes_.piece_pages();
    if (left > 0) {
        // One page may be behind them that is not full; all others hold pieces that somebody else has cached.
        const std::int64_t behind =
            held_pages(sequence) - left - std::ssize(sequence.pieces) * prefixes_.piece_pages();
        give(behind);
        plain -= behind;
        cache_.give(left);
        prefixes_.leave_behind(static_cast<std::uint32_t>(slot), left);
    }
    give(plain);
    for (; !sequence.used.empty(); sequence.used.pop_back()) {
        host_cache_.keep(sequence.used.back());
        if (prefixes_.leave(sequence.used.back())) cache_.give(prefixes_.piece_pages());
    }
}

std::int64_t Replica::own_pages(const Sequence& sequence) const {
    if (!finds_pages_again(limits_.engine)) return 0;
    const std::int64_t cached = sequence.decodes ? sequence.offset + step_number_ : sequence.computed;
    const std::int64_t of_pieces = std::ssize(sequence.pieces) * prefixes_.piece_pages();
    return std::max<std::int64_t>(0, cached / limits_.page_tokens - of_pieces);
}

/// The pieces that a request's prompt fills completely; none without a prefix cache.
std::span<const std::uint32_t> Replica::pieces_of(std::size_t number) const {
    const bool is_sharing = shares_prefixes(limits_, requests_);
    return is_sharing ? whole_pieces(requests_, inbox_.place_of(number)) : std::span<const std::uint32_t>{};
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
    remove(slot, own_pages(sequence));
    sequence.target = sequence.request->prompt + sequence.generated;
    sequence.computed = 0;
    if (by_priority_) {
        turns_.insert(turn_of(*sequence.request, sequence.number, slot));
    } else {
        preempted_.push_back(slot);
    }
    if (prompts_first()) places_.push_back(inbox_.received());
    recorder_.preempted();
}

/// What was generated is from now on available to requests that continue it.
void Replica::name_answer(Slot slot) {
    if (!requests_.names_answers || !shares_prefixes(limits_, requests_)) return;
    Sequence& sequence = at(slot);
    sequence.pieces = answered_pieces(requests_, inbox_.place_of(sequence.number));
    add_pieces(slot, whole_tokens(*sequence.request));
}

void Replica::finish(Slot slot) {
    name_answer(slot);
    remove(slot);
    const Sequence& sequence = at(slot);
    Ticks left = std::max(now_, sender_.arrived());
    if (const auto when = when_given_up(sequence)) {
        recorder_.gave_up(*sequence.request);
        left = std::max(now_, *when);
    } else {
        recorder_.answered({*sequence.request, sequence.first_token, sender_.arrived(), number_});
    }
    free_slots_.push_back(slot);
    end(sequence.number, left);
}

/// It is answered, or its client has given up, and is free for its next request from then on.
void Replica::end(std::size_t number, Ticks free) {
    unended_.erase(number);
    ++answered_;
    inbox_.answered(number, free);
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
    return pages_of(limits_, sequence.decodes ? sequence.offset + step_number_ : sequence.computed);
}

/// The last token is never cached.
std::int64_t Replica::whole_pages(const Request& request) const {
    return pages_of(limits_, whole_tokens(request));
}

}  // namespace dse::serving
