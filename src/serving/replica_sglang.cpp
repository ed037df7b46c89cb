#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/serving/replica.hpp"
#include "serving/kept_share.hpp"

namespace dse::serving {

bool Replica::plan_apart() {
    promised_ = 0;
    turned_out_ = 0;
    std::int64_t budget = limits_.engine.token_budget;
    std::int64_t preempted = 0;
    if (reader_ != nobody) {
        const Sequence& sequence = at(reader_);
        read_on(budget, preempted);
        if (preempted == 0)
            promised_ = whole_tokens(*sequence.request) - sequence.computed - chunks_.back().tokens;
    }
    while (preempted == 0) {
        const Entry next = entry(budget);
        if (next.tokens == 0) break;
        admit(next, budget);
    }
    promised_ = 0;
    return !chunks_.empty() || plan_decodes();
}

bool Replica::plan_decodes() {
    turned_out_ = decodes_.sequences > 0 ? turn_out() : 0;
    if (decodes_.sequences == 0) return false;
    take(cache_.needed(step_number_));
    return true;
}

void Replica::pass_apart(Ticks duration) {
    chunks_.empty() ? decode_alone(duration) : read_prompts(duration);
}

void Replica::read_prompts(Ticks duration) {
    const double use = use_of(cache_.used());
    recorder_.spent(now_, duration, {waiting(), running_, 0, 0.0, use, use, 1});
    report(duration, 1);
    send_tokens(now_ + duration, 0);
    finished_ = now_ += duration;
    unlooked_ = look_every_;
    read();
}

void Replica::decode_alone(Ticks duration) {
    const double use = use_of(cache_.used());
    const double context = static_cast<double>(decodes_.context) / static_cast<double>(decodes_.sequences);
    send_tokens(now_ + duration, decodes_.sequences);
    recorder_.gap(sender_.arrived() - last_decoded_,
                  decodes_.sequences - static_cast<std::int64_t>(fresh_.size()));
    for (const Slot slot : fresh_) recorder_.gap(sender_.arrived() - at(slot).last_token, 1);
    fresh_.clear();
    recorder_.spent(now_, duration, {waiting(), running_, decodes_.sequences, context, use, use, 1});
    report(duration, 1);
    end_step(duration);
}

/// Retracts sequences until the others have enough pages for the next step. \returns how many were retracted
std::int64_t Replica::turn_out() {
    std::int64_t preempted = 0;
    for (; cache_.needed(step_number_) > cache_.free(); ++preempted) preempt(least_generated());
    if (preempted > 0 && decodes_.sequences > 0) keep_after_turning_out();
    return preempted;
}

Replica::Slot Replica::least_generated() const {
    const auto generated = [&](Slot slot) {
        return at(slot).request->output - (at(slot).finish - step_number_);
    };
    Slot least = nobody;
    for (Slot slot = head_; slot != nobody; slot = at(slot).after) {
        if (!at(slot).decodes) continue;
        if (least == nobody || generated(slot) < generated(least) ||
            (generated(slot) == generated(least) && at(slot).request->prompt >= at(least).request->prompt))
            least = slot;
    }
    return least;
}

void Replica::keep_after_turning_out() {
    std::int64_t output = 0;
    for (Slot slot = head_; slot != nobody; slot = at(slot).after) {
        if (at(slot).decodes) output += at(slot).request->output;
    }
    DSE_EXPECT(output > 0);  // some sequences are left
    const std::int64_t left = finishes_ - decodes_.sequences * step_number_;
    const std::int64_t tokens = output - left + tokens_after_turning_out * decodes_.sequences;
    kept_ = std::min(whole_share, whole_share * tokens / output);
}

/// \param tokens  that the request will add to the device's cache: computed, or copied from host memory
/// (SGLang's add_one_req, schedule_policy.py, whose total_tokens contain host_hit_length)
bool Replica::has_tokens(const Entry& entry, std::int64_t tokens) const {
    const std::int64_t left = finishes_ - decodes_.sequences * step_number_;
    const std::int64_t kept = kept_ * left / whole_share + promised_;
    return tokens + kept <= (cache_.free() - entry.idle_pages) * limits_.page_tokens &&
           entry.pages + entry.idle_pages <= cache_.free();
}

void Replica::decay(std::int64_t steps) {
    last_decode_ = now_;
    last_decoded_ = sender_.arrived();
    if (kept_ > least_share) kept_ = std::max(least_share, kept_ - steps * share_a_step);
}

}  // namespace dse::serving
