// Reasons for requests to wait although they could be admitted, replicas behind a router, and tokens on their
// way.
#include <algorithm>
#include <utility>

#include "dse/serving/replica.hpp"

namespace dse::serving {

/// Whether the scheduler looks for new requests now. An idle scheduler always does.
bool Replica::looks() const {
    return unlooked_ >= look_every_ || (running_ == 0 && waiting() == 0);
}

std::int64_t Replica::steps_until_request(const Pace& pace, std::int64_t most) const {
    const bool may_enter = running_ < limits_.engine.max_sequences &&
                           (by_priority_ || waiting() == 0 || !first_waiting().exists);
    const bool is_awaited = ready() != never && (is_idle() || look_every_ > 1 || may_enter);
    std::int64_t steps = most;
    if (is_awaited) steps = steps_until_look(pace, ready(), steps, is_ahead() ? 1 : 0);
    if (!deadlines_.empty()) steps = steps_until_look(pace, deadlines_.begin()->time, steps, 0);
    return steps;
}

/// Number of steps, at most `most`, until the scheduler looks and finds what has happened at this time.
/// \param later  steps that pass before it can find it
std::int64_t Replica::steps_until_look(const Pace& pace, Ticks news, std::int64_t most,
                                       std::int64_t later) const {
    const std::int64_t until_news = later > 0 && news <= now_ ? 0 : pace.steps_until(news - now_, most);
    std::int64_t steps = until_news + later;
    if (!is_idle() && look_every_ > 1) {
        const std::int64_t there = steps + unlooked_;
        steps = (there + look_every_ - 1) / look_every_ * look_every_ - unlooked_;
    }
    return std::min(most, steps);
}

// ---- Prompts that wait for others ----

/// Tokens of the prompts that the next step would process a part of: whole prompts, with cached prefixes and
/// what earlier steps have processed, as in TensorRT-LLM's comparison.
std::int64_t Replica::tokens_to_read(std::int64_t budget) {
    if (budget <= 0) return 0;
    std::int64_t tokens = 0;
    if (reader_ != nobody) {
        tokens = at(reader_).request->prompt;
        budget -= std::min(at(reader_).target - at(reader_).computed, budget);
    }
    std::int64_t reserved = reserved_;
    std::int64_t places = limits_.engine.max_sequences - running_;
    named_.assign(adapters_.active().begin(), adapters_.active().end());
    for (std::size_t number = next_; number < inbox_.received() && budget > 0 && places > 0; ++number) {
        if (!waits(number)) continue;
        const Request& next = request(number);
        if (reserved + whole_pages(next) > cache_.pages()) break;
        const bool is_new = has_adapters() && std::ranges::find(named_, next.adapter) == named_.end();
        if (is_new && std::cmp_equal(named_.size(), limits_.engine.max_loras)) continue;
        if (!limits_.engine.chunked_prefill && next.prompt > budget) break;
        if (is_new) named_.push_back(next.adapter);
        reserved += whole_pages(next);
        tokens += next.prompt;
        budget -= std::min<std::int64_t>(next.prompt, budget);
        --places;
    }
    return tokens;
}

/// Whether prompts wait in this step. While nothing decodes, waiting gains nothing.
bool Replica::holds_prompts(std::int64_t budget) {
    if (limits_.engine.hold_steps == 0 || decodes_.sequences == 0) return false;
    const std::int64_t tokens = tokens_to_read(budget);
    if (tokens == 0) return false;
    const double enough = limits_.engine.hold_share * static_cast<double>(limits_.engine.token_budget);
    const bool holds =
        held_ < limits_.engine.hold_steps && static_cast<double>(tokens + decodes_.sequences) < enough;
    held_ = holds ? held_ + 1 : 0;
    return holds;
}

// ---- Requests whose adapter has no place ----

bool Replica::waits(std::size_t number) const {
    if (left_.contains(number)) return false;
    if (!has_adapters()) return number >= next_;
    // Those of an adapter enter in order.
    const std::size_t first = adapters_.first(request(number).adapter);
    return first != AdapterSlots::nobody && number >= first;
}

/// TensorRT-LLM stops at the first request that the cache has no pages for, whether its adapter has a place
/// or not. It looks at each once per step, before it admits those that came later.
bool Replica::may_pass(const Waiter& waiter) const {
    if (limits_.engine.scheduler != graph::Scheduler::tensorrt || !has_adapters()) return true;
    for (std::size_t number = std::max(next_, passed_); number < waiter.number; ++number) {
        if (waits(number) && !has_room(0, request(number))) return false;
    }
    return true;
}

// ---- Prompts that need another step ----

bool Replica::leaves_prompt() const {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        const Sequence& sequence = at(readers_[i]);
        if (sequence.computed + chunks_[i].tokens < sequence.target) return true;
    }
    return false;
}

// ---- Routed replicas ----

void Replica::take_up() {
    inbox_.take_up();
    ++load_before_;
}

std::size_t Replica::load(Ticks time) const {
    return now_ > time ? load_before_ : inbox_.sent() - answered_;
}

// ---- Tokens on their way ----

void Replica::send_tokens(Ticks time, std::int64_t decoding) {
    std::int64_t tokens = decoding;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        const Sequence& sequence = at(readers_[i]);
        if (sequence.computed + chunks_[i].tokens == sequence.target) ++tokens;
    }
    sender_.send(time, tokens);
}

}  // namespace dse::serving
