#include "round_inserter.hpp"

#include <algorithm>

namespace dse::sim::fold {

namespace {

/// A bound of how many rounds the compiler looks ahead: by what is sent before it is needed, which is less
/// than a microbatch per stage.
std::uint32_t rounds_ahead(const graph::PipelineSchedule& schedule) {
    return schedule.stages / schedule.steady.microbatches_per_round + 2;
}

/// Number of rounds that must be the same, besides those in which the compiler may see that they end.
constexpr std::uint32_t least_repeated = 4;

/// If fewer rounds were left out, nothing would be saved.
constexpr std::uint32_t least_left_out = 20;

}  // namespace

void number_slots(const graph::PipelineSchedule& schedule, std::vector<std::uint32_t>& first_slot) {
    first_slot.assign(1, nobody + 1);
    const auto add = [&first_slot](std::size_t count) {
        first_slot.push_back(first_slot.back() + static_cast<std::uint32_t>(count));
    };
    for (std::uint32_t lane = 0; lane < graph::lanes_of(schedule); ++lane) {
        for (std::uint32_t i = 0; i < schedule.stages; ++i) add(schedule.tasks[i].size());
    }
    const std::size_t passes = std::size_t{2} * schedule.chunks * schedule.microbatches;
    add(graph::hands_over_locally(schedule) ? passes : 0);
}

std::uint32_t rounds_to_leave_out(const graph::PipelineSchedule& schedule) {
    if (schedule.steady.rounds == 0) return 0;
    // Some before they are the same, and some in which a pipeline mostly settles into its period.
    const std::uint32_t listed = 2 * (rounds_ahead(schedule) + least_repeated);
    return schedule.steady.rounds >= listed + least_left_out ? schedule.steady.rounds - listed : 0;
}

RoundInserter::RoundInserter(const graph::PipelineSchedule& few, const graph::PipelineSchedule& schedule,
                             std::uint32_t rounds, ScheduleProgram& program)
    : few_{few}, schedule_{schedule}, rounds_{rounds}, program_{program} {
    number_slots(schedule, first_slot_);
}

bool RoundInserter::run() {
    if (!repeat_to_the_end()) return false;
    const std::uint32_t end = program_.steady_.marks.back();
    for (std::uint32_t i = 0; i < program_.steps_.size(); ++i)
        renumber(program_.steps_[i], i < end ? 0 : rounds_);
    renumber_live_values();
    renumber_incoming();
    program_.first_slot_.swap(first_slot_);
    program_.steady_.rounds += rounds_;
    read_growth();
    return true;
}

/// In the last rounds, the compiler may have seen that they end: then these do not repeat the others.
bool RoundInserter::repeat_to_the_end() const {
    const SteadyRounds& steady = program_.steady_;
    const std::uint32_t ahead = rounds_ahead(few_);
    if (steady.rounds < ahead + least_repeated) return false;
    const std::uint32_t end = steady.first_task[0] + steady.rounds * steady.tasks_a_round;
    const std::uint32_t end_of_few = few_.steady.begin[0] + few_.steady.rounds * few_.steady.tasks_per_round;
    return end_of_few - end <= ahead * steady.tasks_a_round;
}

/// \param rounds  that come before it in addition
std::uint32_t RoundInserter::slot(std::uint32_t of_few, std::uint32_t rounds) const {
    if (of_few <= nobody) return of_few;
    const std::vector<std::uint32_t>& first = program_.first_slot_;
    const auto behind = std::upper_bound(first.begin(), first.end(), of_few);
    const auto sender = static_cast<std::size_t>(behind - first.begin()) - 1;
    return first_slot_[sender] + (of_few - first[sender]) + rounds * program_.steady_.sent_a_round[sender];
}

/// \param of_few  Step::microbatch of a task
std::uint32_t RoundInserter::pass(std::uint32_t of_few, std::uint32_t rounds) const {
    return of_few / few_.microbatches * schedule_.microbatches + of_few % few_.microbatches +
           rounds * program_.steady_.microbatches_a_round;
}

void RoundInserter::renumber(Step& step, std::uint32_t rounds) const {
    step.in = slot(step.in, rounds);
    if (step.kind == Step::Kind::transfer) return;
    step.out = slot(step.out, rounds);
    step.microbatch = pass(step.microbatch, rounds);
}

void RoundInserter::renumber_live_values() {
    for (LiveValue& value : program_.steady_.live) {
        value.number = value.kind == LiveValue::Kind::saved ? pass(value.number, 0) : slot(value.number, 0);
    }
}

void RoundInserter::renumber_incoming() {
    const SteadyRounds& steady = program_.steady_;
    for (std::uint32_t stage = 0; stage < schedule_.stages; ++stage) {
        const std::uint32_t first = program_.first_task_[stage];
        const std::uint32_t end = first + steady.first_task[stage] + steady.rounds * steady.tasks_a_round;
        for (std::uint32_t task = first; task < program_.first_task_[stage + 1]; ++task) {
            std::uint32_t& in = program_.incoming_[task];
            in = slot(in, task < end ? 0 : rounds_);
        }
    }
}

void RoundInserter::read_growth() {
    const SteadyRounds& steady = program_.steady_;
    const std::uint32_t last = steady.listed() - 1;
    for (std::uint32_t i = steady.marks[last]; i < steady.marks[last + 1]; ++i) {
        const Step& step = program_.steps_[i];
        const bool is_task = step.kind != Step::Kind::transfer;
        program_.growth_.push_back({program_.shift_of(step.in), is_task ? program_.shift_of(step.out) : 0,
                                    is_task ? steady.microbatches_a_round : 0});
    }
}

}  // namespace dse::sim::fold
