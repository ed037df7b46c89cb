#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// Simulates a schedule whose stages run long series of equal tasks one stage after the other (all forward
/// passes, then all backward passes), and skips most tasks of each (docs/theory/folding.md).
///
/// If the times that a task leaves behind have grown by rates, and inputs that grow by these rates make it
/// leave behind times that grow by them again, so do the tasks that follow, up to a horizon: there, some
/// other input would be the latest. Messages come in with the rates by which their sender has skipped tasks.
/// Saved values decide nothing in tasks that are skipped: not even the latest one of the series is late.
///
/// What skipped tasks send and save is known by its rates. Values that are needed one by one are filled in,
/// all others are left as they are: only streams and lanes, and what the last passes read, are valid
/// afterwards.
class RunJump {
  public:
    /// Whether skipping is likely to save time.
    /// \param factor  by which playing every task takes less time than by one play alone (play_abreast())
    static bool pays(const ScheduleProgram& program, std::size_t factor);

    /// Simulates the first `end` steps. \param end  at least up to the last run
    void run(SchedulePlayer& player, std::size_t end);

  private:
    /// A time, and by how much it grows from task to task.
    struct Line {
        double time{absent};
        double rate{0};
    };
    /// Values of equal tasks that were skipped.
    struct Growth {
        std::uint32_t stage{0};
        std::uint32_t base{0};   ///< slot, or `Step::microbatch`, of the last task before, which was played
        std::uint32_t step{1};   ///< 1, or 2^32 - 1: whether numbers grow or fall from task to task
        std::uint32_t tasks{0};  ///< number of skipped ones
        std::size_t rate{0};     ///< first of its rates in rates_, by value

        /// How many tasks after the base has this number. Nothing if it is not among them.
        [[nodiscard]] std::optional<std::uint32_t> position(std::uint32_t number) const;
    };

    void play_run(const StepRun& run);
    void play_rounds(const StepRun& run, std::uint32_t round, std::uint32_t count);
    void begin_run(const StepRun& run);
    void read_latest_saved(const StepRun& run);
    /// \return number of tasks that may be skipped after this one, which has just been played
    std::uint32_t tasks_to_skip(const StepRun& run, std::uint32_t round);
    /// Reads the inputs of the task. \return number of tasks for which their rates hold
    std::uint32_t read_inputs(const Step& task, std::uint32_t tasks);
    bool follow_task(const Step& task);
    void follow_transfer(const Step& transfer);
    [[nodiscard]] bool rates_hold() const;
    /// The latest of some times, which it is up to the horizon.
    Line latest(std::span<const Line> lines);
    void skip(const StepRun& run, std::uint32_t round, std::uint32_t tasks);
    void fill_in(std::size_t begin, std::size_t end, std::span<const Growth> messages,
                 std::span<const Growth> saved);
    void fill_in(const Step& task, std::span<const Growth> messages, std::span<const Growth> saved);
    [[nodiscard]] const Step& task_of(const StepRun& run, std::uint32_t round) const {
        return player_->program().steps()[run.begin + std::size_t{round} * run.steps];
    }

    SchedulePlayer* player_{nullptr};
    std::vector<Growth> messages_;  // when they arrive
    std::vector<Growth> saved_;
    std::vector<double> rates_;
    // Of the current run:
    std::vector<Growth> messages_to_run_;
    std::vector<Growth> saved_for_run_;
    std::vector<double> latest_saved_;  // latest saved values that its tasks read
    bool has_latest_saved_{false};
    std::vector<double*> times_;  // streams, then lanes, that its steps use
    std::vector<double> before_;  // these before the task that was played last
    // Of that task:
    std::vector<Line> inputs_;   // of the operator, without saved values
    std::vector<Line> results_;  // of the operator; then, of the transfer as well
    std::vector<Line> terms_;
    Line lanes_;
    Line arrival_;
    double horizon_{0};  // number of tasks
};

}  // namespace dse::sim::fold
