#include "steady_rounds.hpp"

#include <algorithm>
#include <array>

#include "dse/base/hash.hpp"

namespace dse::sim::fold {

namespace {

/// Number of rounds below which the search for a period costs more than it saves.
constexpr std::uint32_t least_rounds = 4;

class SteadyRoundsFinder {
  public:
    SteadyRoundsFinder(const graph::PipelineSchedule& schedule, std::span<const Step> steps,
                       std::span<const std::uint32_t> marks, std::span<const std::uint32_t> first_slot,
                       SteadyRounds& steady)
        : schedule_{schedule}, steps_{steps}, marks_{marks}, first_slot_{first_slot}, steady_{steady} {}

    void run() {
        steady_.rounds = 0;
        if (marks_.size() < least_rounds + 1) return;
        steady_.tasks_a_round = schedule_.steady.tasks_per_round;
        steady_.microbatches_a_round = schedule_.steady.microbatches_per_round;
        list_senders();
        count_messages();
        const std::uint32_t first = longest_run();
        if (steady_.rounds < least_rounds) return forget();
        marks_ = marks_.subspan(first, steady_.rounds + 1);
        follow_values();
        keep_equal_marks();
        if (steady_.rounds < least_rounds) return forget();
        steady_.marks.assign(marks_.begin(), marks_.begin() + steady_.rounds + 1);
        describe_first_mark(first);
    }

  private:
    void forget() { steady_.rounds = 0; }

    void list_senders() {
        sender_of_.resize(first_slot_.back());
        for (std::uint32_t sender = 0; sender + 1 < first_slot_.size(); ++sender)
            std::fill(sender_of_.begin() + first_slot_[sender], sender_of_.begin() + first_slot_[sender + 1],
                      sender);
    }

    /// Counts those of the last round; they are the same for all rounds like it.
    void count_messages() {
        steady_.sent_a_round.assign(first_slot_.size() - 1, 0);
        steady_.received_a_round.assign(first_slot_.size() - 2, 0);
        for (const Step& step : round(static_cast<std::uint32_t>(marks_.size()) - 2)) {
            if (step.kind == Step::Kind::transfer) {
                ++steady_.received_a_round[step.out];
            } else if (step.out != nobody) {
                ++steady_.sent_a_round[sender_of_[step.out]];
            }
        }
    }

    [[nodiscard]] std::span<const Step> round(std::uint32_t r) const {
        return steps_.subspan(marks_[r], marks_[r + 1] - marks_[r]);
    }

    [[nodiscard]] std::uint32_t shift_of(std::uint32_t slot) const {
        return slot <= nobody ? 0 : steady_.sent_a_round[sender_of_[slot]];
    }

    [[nodiscard]] bool follows(const Step& step, const Step& before) const {
        if (step.kind != before.kind || step.is_backward != before.is_backward ||
            step.variant != before.variant || step.stage != before.stage) {
            return false;
        }
        if (step.in != before.in + shift_of(before.in)) return false;
        if (step.kind == Step::Kind::transfer) return step.out == before.out;
        return step.out == before.out + shift_of(before.out) &&
               step.microbatch == before.microbatch + steady_.microbatches_a_round;
    }

    /// Sets the number of rounds. \return first round of the run
    std::uint32_t longest_run() {
        std::uint32_t best = 0;
        std::uint32_t first = 0;
        for (std::uint32_t r = 1; r + 1 < marks_.size(); ++r) {
            const std::span<const Step> before = round(r - 1);
            const std::span<const Step> now = round(r);
            const bool same = std::equal(now.begin(), now.end(), before.begin(), before.end(),
                                         [this](const Step& a, const Step& b) { return follows(a, b); });
            if (!same) first = r;
            if (r - first + 1 > steady_.rounds) {
                best = first;
                steady_.rounds = r - first + 1;
            }
        }
        return best;
    }

    /// Records at every mark which values are written before it and read after it.
    void follow_values() {
        digests_.assign(marks_.size(), 0);
        steady_.live.clear();
        const std::size_t slots = first_slot_.back();
        const std::size_t passes = std::size_t{schedule_.chunks} * schedule_.microbatches;
        ready_at_.assign(slots, never);
        end_at_.assign(slots, never);
        saved_at_.assign(passes * schedule_.stages, never);
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            const Step& step = steps_[i];
            if (step.kind == Step::Kind::transfer) {
                note({LiveValue::Kind::ready, 0, step.stage, step.in, shift_of(step.in)}, ready_at_[step.in],
                     i);
                end_at_[step.in] = i;
                continue;
            }
            if (step.in != no_value) {
                note({LiveValue::Kind::end, 0, sender_of_[step.in], step.in, shift_of(step.in)},
                     end_at_[step.in], i);
            }
            std::uint32_t& saved_at = saved_at_[step.stage * passes + step.microbatch];
            note({LiveValue::Kind::saved, step.variant, step.stage, step.microbatch,
                  steady_.microbatches_a_round},
                 saved_at, i);
            saved_at = i;
            // Values that stay inside a stage are ready at once.
            if (step.out != nobody) ready_at_[step.out] = end_at_[step.out] = i;
        }
    }

    void note(const LiveValue& value, std::uint32_t written, std::uint32_t read) {
        if (written == never) return;
        auto mark = std::upper_bound(marks_.begin(), marks_.end(), written);
        for (; mark != marks_.end() && *mark <= read; ++mark) {
            const auto r = static_cast<std::uint32_t>(mark - marks_.begin());
            if (r == 0) steady_.live.push_back(value);
            const std::array<std::uint32_t, 4> seen_from_mark{static_cast<std::uint32_t>(value.kind),
                                                              value.variant, value.stage,
                                                              value.number - r * value.a_round};
            digests_[r] += checksum(std::as_bytes(std::span{seen_from_mark}));
        }
    }

    void keep_equal_marks() {
        const auto other = std::find_if(digests_.begin(), digests_.end(),
                                        [this](std::uint64_t digest) { return digest != digests_.front(); });
        steady_.rounds = static_cast<std::uint32_t>(other - digests_.begin()) - 1;
    }

    void describe_first_mark(std::uint32_t round) {
        steady_.settled.assign(first_slot_.size() - 2, 0);
        for (const Step& step : steps_.first(marks_.front())) {
            if (step.kind == Step::Kind::transfer) ++steady_.settled[step.microbatch];
        }
        steady_.first_task.clear();
        for (const std::uint32_t begin : schedule_.steady.begin) {
            steady_.first_task.push_back(begin + round * steady_.tasks_a_round);
        }
    }

    static constexpr std::uint32_t never = ~std::uint32_t{0};

    const graph::PipelineSchedule& schedule_;
    std::span<const Step> steps_;
    std::span<const std::uint32_t> marks_;
    std::span<const std::uint32_t> first_slot_;
    SteadyRounds& steady_;
    std::vector<std::uint32_t> sender_of_;  // by slot: the lane end, or those passed inside a stage
    std::vector<std::uint32_t> ready_at_;
    std::vector<std::uint32_t> end_at_;
    std::vector<std::uint32_t> saved_at_;
    std::vector<std::uint64_t> digests_;
};

}  // namespace

void find_steady_rounds(const graph::PipelineSchedule& schedule, std::span<const Step> steps,
                        std::span<const std::uint32_t> marks, std::span<const std::uint32_t> first_slot,
                        SteadyRounds& steady) {
    SteadyRoundsFinder{schedule, steps, marks, first_slot, steady}.run();
}

}  // namespace dse::sim::fold
