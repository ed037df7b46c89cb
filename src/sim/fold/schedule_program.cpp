#include "dse/sim/fold/schedule_program.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "round_inserter.hpp"
#include "steady_rounds.hpp"
#include "step_runs.hpp"

namespace dse::sim::fold {

using graph::Pass;
using graph::Peer;
using graph::Task;

namespace {

/// Work per task, as reported to dse::checkpoint.
constexpr std::uint64_t steps_a_task = 4;

}  // namespace

/// Runs the task lists of all stages without times: each stage proceeds until it must wait for a message, or
/// until one of its own messages must start first.
class ScheduleCompiler {
  public:
    ScheduleCompiler(const graph::PipelineSchedule& schedule, const Durations& durations, Sending sending,
                     ScheduleProgram& program)
        : schedule_{schedule}, durations_{durations}, sending_{sending}, program_{program} {
        number_tasks();
        stages_.resize(schedule.stages);
        lane_ends_.resize(std::size_t{graph::lanes_of(schedule)} * schedule.stages);
        for (std::uint32_t i = 0; i < schedule.stages; ++i) {
            stages_[i].tasks = static_cast<std::uint32_t>(schedule.tasks[i].size());
            stages_[i].waiting = true;
        }
        if (sending_ == Sending::in_program_order) {
            find_receivers();
        } else {
            for (std::uint32_t end = 0; end < lane_ends_.size(); ++end) post_next(end);
        }
    }

    void run() {
        const graph::SteadyPhase& steady = schedule_.steady;
        std::vector<std::uint32_t> marks;
        for (std::uint32_t round = 0; steady.rounds > 0 && round <= steady.rounds; ++round) {
            if (!run_to_round(round)) break;
            marks.push_back(static_cast<std::uint32_t>(program_.steps_.size()));
        }
        // As much as possible comes before the last passes: simulations that differ in them share it.
        for (std::uint32_t i = 0; i < stages_.size(); ++i) stages_[i].end = first_last_pass(i);
        run_stages();
        for (StageState& state : stages_) state.end = state.tasks;
        run_stages();
        check_finished();
        find_steady_rounds(schedule_, program_.steps_, marks, program_.first_slot_, program_.steady_);
        find_last_passes();
        program_.runs_.clear();
        if (program_.steady_.rounds == 0 && !schedule_.splits_backward) {
            const std::span<const Step> steps = program_.steps_;
            find_step_runs(steps.first(program_.before_last_passes_), program_.runs_);
        }
    }

  private:
    /// Progress of a stage.
    struct StageState {
        std::uint32_t position{0};  ///< next task
        std::uint32_t end{0};       ///< position at which it stops
        std::uint32_t tasks{0};
        bool waiting{false};
    };
    /// Progress of a stage's end of a lane.
    struct LaneEnd {
        std::uint32_t sent{0};     ///< messages whose value has been produced
        std::uint32_t settled{0};  ///< how many of these have a known start
        std::uint32_t posted{0};   ///< next task whose message has no known end; `tasks` if there is none
    };
    struct Destination {
        std::uint32_t stage{0};
        Task task;
    };

    void number_tasks() {
        program_.steps_.clear();
        program_.growth_.clear();
        number_slots(schedule_, program_.first_slot_);
        program_.first_task_.assign(1, 0);
        const std::size_t passes = std::size_t{2} * schedule_.chunks * schedule_.microbatches;
        for (std::uint32_t i = 0; i < schedule_.stages; ++i) {
            const auto tasks = static_cast<std::uint32_t>(schedule_.tasks[i].size());
            program_.first_task_.push_back(program_.first_task_.back() + tasks);
        }
        program_.incoming_.assign(program_.first_task_.back(), unknown);
        program_.variants_ = schedule_.chunks * variants_a_chunk(schedule_);
        program_.uses_.assign(schedule_.stages * program_.variants_, 0);
        destinations_.resize(program_.first_slot_.back());
        local_.assign(graph::hands_over_locally(schedule_) ? passes : 0, unknown);
    }

    bool run_to_round(std::uint32_t round) {
        const graph::SteadyPhase& steady = schedule_.steady;
        for (std::uint32_t i = 0; i < stages_.size(); ++i)
            stages_[i].end = steady.begin[i] + round * steady.tasks_per_round;
        run_stages();
        return std::all_of(stages_.begin(), stages_.end(),
                           [](const StageState& state) { return state.position == state.end; });
    }

    void run_stages() {
        for (auto i = static_cast<std::uint32_t>(stages_.size()); i-- > 0;) wake(i);
        while (!runnable_.empty()) {
            const std::uint32_t stage = runnable_.back();
            runnable_.pop_back();
            StageState& state = stages_[stage];
            while (state.position < state.end && run_next(stage)) checkpoint(steps_a_task);
            state.waiting = true;
        }
    }

    void wake(std::uint32_t stage) {
        if (!stages_[stage].waiting) return;
        stages_[stage].waiting = false;
        runnable_.push_back(stage);
    }

    /// A transfer that blocks the compute stream must have started before the next task can be timed.
    [[nodiscard]] bool waits_for_own_transfer(std::uint32_t stage) const {
        for (std::uint32_t end = stage; end < lane_ends_.size(); end += schedule_.stages) {
            for (std::uint32_t n = lane_ends_[end].settled; n < lane_ends_[end].sent; ++n) {
                const Pass pass = destination(end, n).task.pass;
                const auto& times = pass == Pass::forward ? durations_.forward : durations_.backward;
                if (times[end].hold > 0) return true;
            }
        }
        return false;
    }

    /// Slot of the incoming boundary value of a stage's task, or `unknown`.
    std::uint32_t incoming(std::uint32_t stage, std::uint32_t position) {
        const Peer source = graph::source_of(schedule_.tasks[stage][position], stage, schedule_);
        std::uint32_t& in = program_.incoming_[program_.first_task_[stage] + position];
        if (source.kind == Peer::Kind::none) in = no_value;
        if (source.kind == Peer::Kind::local) in = local(source.task);
        return in;
    }

    /// Runs the next task of a stage, or pair of tasks.
    /// \return whether it could run
    bool run_next(std::uint32_t stage) {
        StageState& state = stages_[stage];
        const std::vector<Task>& tasks = schedule_.tasks[stage];
        const std::uint32_t first = state.position;
        const auto count = static_cast<std::uint32_t>(graph::played_together(tasks[first]));
        for (std::uint32_t k = 0; k < count; ++k) {
            if (incoming(stage, first + k) == unknown) return false;
        }
        if (waits_for_own_transfer(stage)) return false;
        const std::size_t variant = variant_of(tasks[first], schedule_);
        program_.uses_[stage * program_.variants_ + variant] = 1;
        std::array<Peer, 2> to;
        for (std::uint32_t k = 0; k < count; ++k) {
            to[k] = graph::destination_of(tasks[first + k], stage, schedule_);
            add_step(stage, first + k, variant, to[k]);
        }
        if (count == 2) {
            program_.steps_[program_.steps_.size() - 2].kind = Step::Kind::pair;
            program_.steps_.back().kind = Step::Kind::second;
        }
        state.position += count;
        for (std::uint32_t k = 0; k < count; ++k) hand_on(stage, tasks[first + k], to[k]);
        return true;
    }

    void add_step(std::uint32_t stage, std::uint32_t position, std::size_t variant, const Peer& to) {
        const Task& task = schedule_.tasks[stage][position];
        Step step;
        step.stage = stage;
        step.variant = static_cast<std::uint16_t>(variant);
        step.in = program_.incoming_[program_.first_task_[stage] + position];
        step.microbatch = task.chunk * schedule_.microbatches + task.microbatch;
        step.out = next_slot(stage, task, to);
        program_.steps_.push_back(step);
    }

    /// Slot of a task's outgoing boundary value. The two tasks of a pair use different lanes.
    [[nodiscard]] std::uint32_t next_slot(std::uint32_t stage, const Task& task, const Peer& to) const {
        switch (to.kind) {
            case Peer::Kind::none:
                return nobody;
            case Peer::Kind::local:
                return slot(static_cast<std::uint32_t>(lane_ends_.size()), handed_over_);
            case Peer::Kind::stage:
                break;
        }
        const std::uint32_t end = lane_end(stage, task);
        return slot(end, lane_ends_[end].sent);
    }

    void hand_on(std::uint32_t stage, const Task& task, const Peer& to) {
        if (to.kind == Peer::Kind::none) return;
        if (to.kind == Peer::Kind::local) {
            local(task) = slot(static_cast<std::uint32_t>(lane_ends_.size()), handed_over_++);
            return;
        }
        const std::uint32_t end = lane_end(stage, task);
        destination(end, lane_ends_[end].sent++) = {to.stage, to.task};
        if (sending_ == Sending::in_program_order) {
            deliver(end);
        } else {
            settle(end);
        }
    }

    void find_receivers() {
        positions_.resize(std::size_t{3} * schedule_.stages * schedule_.chunks * schedule_.microbatches);
        for (std::uint32_t stage = 0; stage < schedule_.stages; ++stage) {
            const std::vector<Task>& tasks = schedule_.tasks[stage];
            for (std::size_t t = 0; t < tasks.size(); ++t)
                position(stage, tasks[t]) = static_cast<std::uint32_t>(t);
        }
    }
    std::uint32_t& position(std::uint32_t stage, const Task& task) {
        const std::size_t pass = stage * std::size_t{3} + static_cast<std::size_t>(task.pass);
        return positions_[(pass * schedule_.chunks + task.chunk) * schedule_.microbatches + task.microbatch];
    }

    /// Adds the transfer of the message that was just produced, which waits for nothing else.
    /// \param sender  lane end
    void deliver(std::uint32_t sender) {
        LaneEnd& from = lane_ends_[sender];
        const Destination& to = destination(sender, from.settled);
        transfer(sender, position(to.stage, to.task));
        wake(to.stage);
    }

    /// Adds the transfer of the sender's next message, for the task at a position of the receiver's list.
    void transfer(std::uint32_t sender, std::uint32_t position) {
        const std::uint32_t message = slot(sender, lane_ends_[sender].settled);
        const Destination& to = destination(sender, lane_ends_[sender].settled++);
        program_.steps_.push_back({Step::Kind::transfer, to.task.pass != Pass::forward, 0, stage_of(sender),
                                   message, lane_end(to.stage, to.task), sender});
        program_.incoming_[program_.first_task_[to.stage] + position] = message;
    }

    /// Adds all transfers that are possible now, starting with this sender's.
    void settle(std::uint32_t sender) {
        to_settle_.assign(1, sender);
        while (!to_settle_.empty()) {
            const std::uint32_t next = to_settle_.back();
            to_settle_.pop_back();
            while (settle_first(next)) {
            }
        }
    }

    /// Messages are matched in the sender's issue order and in the order of the receiver's tasks.
    /// \param sender  lane end
    bool settle_first(std::uint32_t sender) {
        LaneEnd& from = lane_ends_[sender];
        if (from.settled == from.sent) return false;
        const Destination& to = destination(sender, from.settled);
        const std::uint32_t receiver = lane_end(to.stage, to.task);
        LaneEnd& at = lane_ends_[receiver];
        const std::vector<Task>& tasks = schedule_.tasks[to.stage];
        if (at.posted == tasks.size() || tasks[at.posted] != to.task) return false;
        transfer(sender, at.posted);
        ++at.posted;
        post_next(receiver);
        wake(to.stage);
        wake(stage_of(sender));
        if (at.posted < tasks.size()) {
            const Task& next = tasks[at.posted];
            const std::uint32_t other = lane_end(graph::source_of(next, to.stage, schedule_).stage, next);
            if (other != sender && lane_ends_[other].settled < lane_ends_[other].sent)
                to_settle_.push_back(other);
        }
        return true;
    }

    /// Advances the posted receive of a lane end to the first task, from the current one on, that receives a
    /// message there.
    void post_next(std::uint32_t end) {
        const std::uint32_t stage = stage_of(end);
        const std::vector<Task>& tasks = schedule_.tasks[stage];
        std::uint32_t& posted = lane_ends_[end].posted;
        const bool has_lanes = lane_ends_.size() > schedule_.stages;
        while (posted < tasks.size() &&
               ((has_lanes && lane_end(stage, tasks[posted]) != end) ||
                graph::source_of(tasks[posted], stage, schedule_).kind != Peer::Kind::stage)) {
            ++posted;
        }
    }

    void check_finished() const {
        std::string stuck;
        for (std::uint32_t i = 0; i < stages_.size(); ++i) stuck += waiting_for(i);
        if (!stuck.empty()) throw ModelError("the pipeline schedule deadlocks:" + stuck);
    }

    /// \return empty if the stage is done
    [[nodiscard]] std::string waiting_for(std::uint32_t stage) const {
        const auto describe = [](const Task& task) {
            constexpr std::array<std::string_view, 3> names{"forward", "backward", "weight pass"};
            return fmt::format("{} of chunk {}, microbatch {}", names[static_cast<std::size_t>(task.pass)],
                               task.chunk, task.microbatch);
        };
        for (std::uint32_t end = stage; end < lane_ends_.size(); end += schedule_.stages) {
            if (lane_ends_[end].settled == lane_ends_[end].sent) continue;
            const Destination& to = destination(end, lane_ends_[end].settled);
            return fmt::format("\n  stage {} cannot send to stage {} for its {}", stage, to.stage,
                               describe(to.task));
        }
        const StageState& state = stages_[stage];
        if (state.position == state.tasks) return {};
        const Task& task = schedule_.tasks[stage][state.position];
        const Peer source = graph::source_of(task, stage, schedule_);
        return fmt::format("\n  stage {} waits with its {} for stage {}", stage, describe(task),
                           source.stage);
    }

    /// Position of a stage's first task that is the last pass of a chunk; its number of tasks if there is
    /// none.
    [[nodiscard]] std::uint32_t first_last_pass(std::uint32_t stage) const {
        const std::size_t a_chunk = variants_a_chunk(schedule_);
        const std::vector<Task>& tasks = schedule_.tasks[stage];
        const auto last = std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) {
            return is_of_last_pass(variant_of(task, schedule_), a_chunk);
        });
        return static_cast<std::uint32_t>(last - tasks.begin());
    }

    void find_last_passes() {
        const std::size_t a_chunk = variants_a_chunk(schedule_);
        const auto last =
            std::find_if(program_.steps_.begin(), program_.steps_.end(), [a_chunk](const Step& step) {
                return step.kind != Step::Kind::transfer && is_of_last_pass(step.variant, a_chunk);
            });
        program_.before_last_passes_ = static_cast<std::size_t>(last - program_.steps_.begin());
    }

    [[nodiscard]] std::uint32_t lane_end(std::uint32_t stage, const Task& task) const {
        return graph::lane_end(stage, graph::lane_of(task, schedule_), schedule_);
    }
    [[nodiscard]] std::uint32_t stage_of(std::uint32_t end) const {
        while (end >= schedule_.stages) end -= schedule_.stages;
        return end;
    }
    [[nodiscard]] std::uint32_t slot(std::uint32_t sender, std::uint32_t n) const {
        return program_.first_slot_[sender] + n;
    }
    Destination& destination(std::uint32_t sender, std::uint32_t n) { return destinations_[slot(sender, n)]; }
    [[nodiscard]] const Destination& destination(std::uint32_t sender, std::uint32_t n) const {
        return destinations_[slot(sender, n)];
    }
    std::uint32_t& local(const Task& task) {
        const std::size_t direction = task.pass == Pass::forward ? 0 : 1;
        return local_[(direction * schedule_.chunks + task.chunk) * schedule_.microbatches + task.microbatch];
    }

    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    const graph::PipelineSchedule& schedule_;
    const Durations& durations_;
    Sending sending_;
    ScheduleProgram& program_;
    std::vector<StageState> stages_;
    std::vector<LaneEnd> lane_ends_;
    std::vector<Destination> destinations_;  // of messages, by slot
    std::vector<std::uint32_t> positions_;   // of tasks, if messages do not wait for their receivers
    std::vector<std::uint32_t> local_;       // slots of values passed inside a stage
    std::uint32_t handed_over_{0};           // number of these so far
    std::vector<std::uint32_t> runnable_;
    std::vector<std::uint32_t> to_settle_;
};

void ScheduleProgram::compile(const graph::PipelineSchedule& schedule, const Durations& durations,
                              Sending sending) {
    ScheduleCompiler{schedule, durations, sending, *this}.run();
}

std::uint32_t ScheduleProgram::shift_of(std::uint32_t slot) const {
    if (slot <= nobody) return 0;
    const auto behind = std::upper_bound(first_slot_.begin(), first_slot_.end(), slot);
    return steady_.sent_a_round[static_cast<std::size_t>(behind - first_slot_.begin()) - 1];
}

std::span<const Step> ScheduleProgram::round(std::uint32_t number, std::vector<Step>& made) const {
    const std::uint32_t listed = std::min(number, steady_.listed() - 1);
    const std::span<const Step> steps =
        std::span{steps_}.subspan(steady_.marks[listed], steady_.marks[listed + 1] - steady_.marks[listed]);
    if (listed == number) return steps;
    const std::uint32_t rounds = number - listed;
    made.assign(steps.begin(), steps.end());
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].in += rounds * growth_[i].in;
        made[i].out += rounds * growth_[i].out;
        made[i].microbatch += rounds * growth_[i].microbatch;
    }
    return made;
}

std::uint32_t ScheduleProgram::incoming(std::uint32_t stage, std::size_t position) const {
    const std::uint32_t* const of_stage = incoming_.data() + first_task_[stage];
    if (growth_.empty()) return of_stage[position];
    const std::size_t a_round = steady_.tasks_a_round;
    const std::size_t begin = steady_.first_task[stage] + steady_.listed() * a_round;
    if (position < begin) return of_stage[position];
    const std::size_t left_out = (steady_.rounds - steady_.listed()) * a_round;
    if (position >= begin + left_out) return of_stage[position - left_out];
    const std::size_t rounds = (position - begin) / a_round + 1;
    const std::uint32_t slot = of_stage[position - rounds * a_round];
    return slot + static_cast<std::uint32_t>(rounds) * shift_of(slot);
}

}  // namespace dse::sim::fold
