#include "dse/sim/fold/schedule_program.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "steady_rounds.hpp"

namespace dse::sim::fold {

using workload::Pass;
using workload::Peer;
using workload::Task;

/// Runs the task lists of all stages without times: a stage goes on until it must wait for a message, or for
/// one of its own to be on its way.
class ScheduleCompiler {
  public:
    ScheduleCompiler(const workload::PipelineSchedule& schedule, const Durations& durations,
                     ScheduleProgram& program)
        : schedule_{schedule}, durations_{durations}, program_{program} {
        number_tasks();
        stages_.resize(schedule.stages);
        for (std::uint32_t i = 0; i < schedule.stages; ++i) {
            stages_[i].tasks = static_cast<std::uint32_t>(schedule.tasks[i].size());
            stages_[i].waiting = true;
            post_next(i);
        }
    }

    void run() {
        const workload::SteadyPhase& steady = schedule_.steady;
        std::vector<std::uint32_t> marks;
        for (std::uint32_t round = 0; steady.rounds > 0 && round <= steady.rounds; ++round) {
            if (!run_to_round(round)) break;
            marks.push_back(static_cast<std::uint32_t>(program_.steps_.size()));
        }
        for (StageState& state : stages_) state.end = state.tasks;
        run_stages();
        check_finished();
        find_steady_rounds(schedule_, program_.steps_, marks, program_.first_slot_, program_.steady_);
    }

  private:
    /// How far one stage is.
    struct StageState {
        std::uint32_t position{0};  ///< next task
        std::uint32_t end{0};       ///< where it stops
        std::uint32_t sent{0};      ///< messages whose value has been produced
        std::uint32_t settled{0};   ///< of these, with a known start
        std::uint32_t posted{0};    ///< next task whose message has no known end; `tasks` if there is none
        std::uint32_t tasks{0};
        bool waiting{false};
    };
    struct Destination {
        std::uint32_t stage{0};
        Task task;
    };

    void number_tasks() {
        program_.steps_.clear();
        program_.first_slot_.assign(1, nobody + 1);
        program_.first_task_.assign(1, 0);
        for (std::uint32_t i = 0; i < schedule_.stages; ++i) {
            const auto tasks = static_cast<std::uint32_t>(schedule_.tasks[i].size());
            program_.first_slot_.push_back(program_.first_slot_.back() + tasks);
            program_.first_task_.push_back(program_.first_task_.back() + tasks);
        }
        program_.incoming_.assign(program_.first_task_.back(), unknown);
        program_.variants_ = schedule_.chunks * variants_a_chunk;
        program_.uses_.assign(schedule_.stages * program_.variants_, 0);
        destinations_.resize(program_.first_task_.back());
        const std::size_t passes = std::size_t{2} * schedule_.chunks * schedule_.microbatches;
        local_.assign(schedule_.stages == 1 ? passes : 0, unknown);
    }

    bool run_to_round(std::uint32_t round) {
        const workload::SteadyPhase& steady = schedule_.steady;
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
            while (state.position < state.end && run_task(stage)) ++state.position;
            state.waiting = true;
        }
    }

    void wake(std::uint32_t stage) {
        if (!stages_[stage].waiting) return;
        stages_[stage].waiting = false;
        runnable_.push_back(stage);
    }

    /// A transfer that holds the compute stream must have begun before the next task is known.
    [[nodiscard]] bool waits_for_own_transfer(std::uint32_t stage) const {
        const StageState& state = stages_[stage];
        for (std::uint32_t n = state.settled; n < state.sent; ++n) {
            const Pass pass = destination(stage, n).task.pass;
            const auto& times = pass == Pass::forward ? durations_.forward : durations_.backward;
            if (times[stage].hold > 0) return true;
        }
        return false;
    }

    bool run_task(std::uint32_t stage) {
        const StageState& state = stages_[stage];
        const Task& task = schedule_.tasks[stage][state.position];
        const Peer source = workload::source_of(task, stage, schedule_);
        std::uint32_t& in = program_.incoming_[program_.first_task_[stage] + state.position];
        if (source.kind == Peer::Kind::none) in = no_value;
        if (source.kind == Peer::Kind::local) in = local(source.task);
        if (in == unknown || waits_for_own_transfer(stage)) return false;

        Step step;
        step.stage = stage;
        step.variant = static_cast<std::uint16_t>(variant_of(task, workload::is_peeled(task, schedule_)));
        step.in = in;
        step.microbatch = task.chunk * schedule_.microbatches + task.microbatch;
        const Peer to = workload::destination_of(task, stage, schedule_);
        step.out = to.kind == Peer::Kind::none ? nobody : slot(stage, state.sent);
        program_.steps_.push_back(step);
        program_.uses_[stage * program_.variants_ + step.variant] = 1;
        hand_on(stage, task, to);
        return true;
    }

    void hand_on(std::uint32_t stage, const Task& task, const Peer& to) {
        if (to.kind == Peer::Kind::none) return;
        StageState& state = stages_[stage];
        const std::uint32_t n = state.sent++;
        if (to.kind == Peer::Kind::local) {
            local(task) = slot(stage, n);
            ++state.settled;
            return;
        }
        destination(stage, n) = {to.stage, to.task};
        settle(stage);
    }

    /// Gives times to all messages that this makes possible, from this sender on.
    void settle(std::uint32_t sender) {
        to_settle_.assign(1, sender);
        while (!to_settle_.empty()) {
            const std::uint32_t next = to_settle_.back();
            to_settle_.pop_back();
            while (settle_first(next)) {
            }
        }
    }

    /// Sends are matched in the order of the sender's issue and of the receiver's tasks.
    bool settle_first(std::uint32_t sender) {
        StageState& from = stages_[sender];
        if (from.settled == from.sent) return false;
        const Destination& to = destination(sender, from.settled);
        StageState& receiver = stages_[to.stage];
        const std::vector<Task>& tasks = schedule_.tasks[to.stage];
        if (receiver.posted == receiver.tasks || tasks[receiver.posted] != to.task) return false;
        const std::uint32_t message = slot(sender, from.settled);
        program_.steps_.push_back(
            {Step::Kind::transfer, to.task.pass != Pass::forward, 0, sender, message, to.stage, 0});
        program_.incoming_[program_.first_task_[to.stage] + receiver.posted] = message;
        ++from.settled;
        ++receiver.posted;
        post_next(to.stage);
        wake(to.stage);
        wake(sender);
        if (receiver.posted < receiver.tasks) {
            const std::uint32_t other =
                workload::source_of(tasks[receiver.posted], to.stage, schedule_).stage;
            if (other != sender && stages_[other].settled < stages_[other].sent) to_settle_.push_back(other);
        }
        return true;
    }

    /// Moves the stage's posted receive on to the first task at or after it that takes a message.
    void post_next(std::uint32_t stage) {
        StageState& state = stages_[stage];
        const std::vector<Task>& tasks = schedule_.tasks[stage];
        while (state.posted < state.tasks &&
               workload::source_of(tasks[state.posted], stage, schedule_).kind != Peer::Kind::stage) {
            ++state.posted;
        }
    }

    void check_finished() const {
        std::string stuck;
        for (std::uint32_t i = 0; i < stages_.size(); ++i) {
            const StageState& state = stages_[i];
            if (state.position < state.tasks || state.settled < state.sent) stuck += waiting_for(i);
        }
        if (!stuck.empty()) throw ModelError("the pipeline schedule deadlocks:" + stuck);
    }

    [[nodiscard]] std::string waiting_for(std::uint32_t stage) const {
        const StageState& state = stages_[stage];
        const auto describe = [](const Task& task) {
            constexpr std::array<std::string_view, 3> names{"forward", "backward", "weight pass"};
            return fmt::format("{} of chunk {}, microbatch {}", names[static_cast<std::size_t>(task.pass)],
                               task.chunk, task.microbatch);
        };
        if (state.settled < state.sent) {
            const Destination& to = destination(stage, state.settled);
            return fmt::format("\n  stage {} cannot send to stage {} for its {}", stage, to.stage,
                               describe(to.task));
        }
        const Task& task = schedule_.tasks[stage][state.position];
        const Peer source = workload::source_of(task, stage, schedule_);
        return fmt::format("\n  stage {} waits with its {} for stage {}", stage, describe(task),
                           source.stage);
    }

    [[nodiscard]] std::uint32_t slot(std::uint32_t stage, std::uint32_t n) const {
        return program_.first_slot_[stage] + n;
    }
    Destination& destination(std::uint32_t stage, std::uint32_t n) {
        return destinations_[program_.first_task_[stage] + n];
    }
    [[nodiscard]] const Destination& destination(std::uint32_t stage, std::uint32_t n) const {
        return destinations_[program_.first_task_[stage] + n];
    }
    std::uint32_t& local(const Task& task) {
        const std::size_t direction = task.pass == Pass::forward ? 0 : 1;
        return local_[(direction * schedule_.chunks + task.chunk) * schedule_.microbatches + task.microbatch];
    }

    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    const workload::PipelineSchedule& schedule_;
    const Durations& durations_;
    ScheduleProgram& program_;
    std::vector<StageState> stages_;
    std::vector<Destination> destinations_;  // of the messages, by slot
    std::vector<std::uint32_t> local_;       // slots of values handed over inside the only stage
    std::vector<std::uint32_t> runnable_;
    std::vector<std::uint32_t> to_settle_;
};

void ScheduleProgram::compile(const workload::PipelineSchedule& schedule, const Durations& durations) {
    ScheduleCompiler{schedule, durations, *this}.run();
}

const ScheduleProgram& SchedulePrograms::of(const workload::PipelineSchedule& schedule,
                                            const Durations& durations) {
    holds_.clear();
    for (std::uint32_t i = 0; i < schedule.stages && schedule.stages > 1; ++i) {
        holds_.push_back(durations.forward[i].hold > 0 ? 1 : 0);
        holds_.push_back(durations.backward[i].hold > 0 ? 1 : 0);
    }
    ++uses_;
    for (Entry& entry : entries_) {
        if (schedule.identity == 0 || entry.identity != schedule.identity || entry.holds != holds_) continue;
        entry.last_use = uses_;
        return entry.program;
    }
    if (entries_.size() < capacity) entries_.emplace_back();
    Entry& entry = *std::min_element(entries_.begin(), entries_.end(),
                                     [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
    entry.identity = 0;  // stays so if the schedule deadlocks
    entry.last_use = uses_;
    entry.holds = holds_;
    entry.program.compile(schedule, durations);
    entry.identity = schedule.identity;
    return entry.program;
}

}  // namespace dse::sim::fold
