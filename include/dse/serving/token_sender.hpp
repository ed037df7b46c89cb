#pragma once

#include <algorithm>
#include <cstdint>

#include "dse/serving/pace.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// The process of a server that turns tokens into text and sends them to the clients, one token after another
/// (SGLang's tokenizer manager, vLLM's API server). If steps make tokens faster than it handles them, it lags
/// behind the devices ever more, until a client that waits for its last token sends no new request.
class TokenSender {
  public:
    /// \param token_time  >= 0; 0: tokens arrive when their step ends
    explicit TokenSender(Ticks token_time) : token_time_{token_time} {}

    /// When the tokens of the last step have arrived: all of them when the last one has been sent.
    [[nodiscard]] Ticks arrived() const { return arrived_; }

    /// Sends the tokens of a step. \param time  when it ends; not before the one before it
    /// \throws ModelError  like end_of()
    void send(Ticks time, std::int64_t tokens);

    /// Sends those of consecutive steps, as many of each.
    /// \param start    of the first step
    /// \param tokens   of each step
    /// \param gap      called with consecutive gaps between arrivals, as (first, growth, number): each one is
    ///                 `growth` longer than the one before
    template <class Gap>
    void send(Ticks start, const Pace& pace, std::int64_t steps, std::int64_t tokens, const Gap& gap) {
        if (token_time_ == 0) {
            gap(pace.first, pace.growth, steps);
            arrived_ = start + pace.duration(steps);
            return;
        }
        const Ticks whole = repeated(token_time_, tokens);
        const Ticks before = std::max(arrived_, start);
        send(start + pace.first, tokens);
        gap(arrived_ - before, 0, 1);
        // While it lags behind, tokens arrive at its own pace; from then on at that of the steps, which only
        // become longer.
        const std::int64_t behind = steps_behind(start, pace, steps, whole);
        if (behind > 1) gap(whole, 0, behind - 1);
        arrived_ = end_of(arrived_, repeated(whole, behind - 1));
        if (behind == steps) return;
        const Ticks last = arrived_;
        arrived_ = end_of(start + pace.duration(behind + 1), whole);
        gap(arrived_ - last, 0, 1);
        const std::int64_t left = steps - behind - 1;
        if (left == 0) return;
        gap(pace.first + pace.growth * (behind + 1), pace.growth, left);
        arrived_ = end_of(start + pace.duration(steps), whole);
    }

  private:
    /// Number of steps, the first of which it has sent, whose tokens it begins to send when it has sent those
    /// of the step before.
    /// \param whole  time for the tokens of a step
    [[nodiscard]] std::int64_t steps_behind(Ticks start, const Pace& pace, std::int64_t steps,
                                            Ticks whole) const;

    Ticks token_time_;
    Ticks arrived_{0};
};

}  // namespace dse::serving
