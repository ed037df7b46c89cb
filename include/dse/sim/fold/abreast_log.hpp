#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/abreast.hpp"
#include "dse/sim/fold/period_jump.hpp"
#include "dse/sim/fold/schedule_state.hpp"

namespace dse::sim::fold {

/// The states in which AbreastPlayer entered tasks, and its messages, with the numbers of all evaluations
/// interleaved. Rounds that were left out follow from the one before them.
class AbreastLog {
  public:
    using Times = std::array<double, abreast>;

    /// \param most_numbers  of any task, in each evaluation
    void reset(std::size_t stages, std::size_t most_numbers, std::size_t slots);

    /// Makes room for the next task of a stage, at last for its finish.
    /// \return where its numbers go
    double* add(std::uint32_t stage) {
        std::vector<double>& log = tasks_[stage];
        const std::size_t first = used_[stage];
        used_[stage] += stride_;
        if (log.size() < used_[stage]) log.resize(2 * used_[stage]);
        return log.data() + first;
    }
    /// \param ready  when the message of a slot was ready to be sent
    /// \param end    when it had arrived
    void add_message(std::uint32_t slot, const double* ready, const double* end, const double* duration) {
        double* const to = messages_.data() + slot * std::size_t{3 * abreast};
        for (std::size_t k = 0; k < abreast; ++k) {
            to[k] = ready[k];
            to[abreast + k] = end[k] - duration[k];
            to[2 * abreast + k] = end[k];
        }
    }
    /// Rounds that are left out because each is later than the one before by one time.
    /// \param jump    the round before them
    /// \param moving  by stage and number of a task's state, for the first `numbers` of them; all others move
    void leave_out(const Jump& jump, const Times& shift, std::span<const std::uint8_t> moving,
                   std::size_t numbers);

    [[nodiscard]] std::span<const Jump> jumps() const { return jumps_; }
    [[nodiscard]] const Times& shift() const { return shift_; }
    [[nodiscard]] bool moves(std::uint32_t stage, std::size_t number) const {
        return number >= moving_numbers_ || moving_[stage * moving_numbers_ + number] != 0;
    }
    /// \param place  among the tasks of the stage that were played
    [[nodiscard]] const double* task(std::uint32_t stage, std::size_t place) const {
        return tasks_[stage].data() + place * stride_;
    }
    /// The state in which a stage's finish was entered.
    [[nodiscard]] const double* finish(std::uint32_t stage) const {
        return tasks_[stage].data() + used_[stage] - stride_;
    }
    [[nodiscard]] Message message(std::size_t slot, std::size_t which) const {
        const double* const from = messages_.data() + slot * std::size_t{3 * abreast} + which;
        return {from[0], from[abreast], from[2 * abreast]};
    }

  private:
    std::size_t stride_{0};
    std::vector<std::size_t> used_;           // by stage: numbers in tasks_
    std::vector<std::vector<double>> tasks_;  // by stage; surplus is spare memory
    std::vector<double> messages_;            // by slot: ready, start and end; likewise
    std::vector<Jump> jumps_;                 // one or none
    Times shift_{};
    std::vector<std::uint8_t> moving_;  // by stage and number
    std::size_t moving_numbers_{0};
};

}  // namespace dse::sim::fold
