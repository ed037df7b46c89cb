#include "dse/sim/fold/schedule_programs.hpp"

#include <algorithm>
#include <utility>

#include "round_inserter.hpp"

namespace dse::sim::fold {

void SchedulePrograms::read_holds(const graph::PipelineSchedule& schedule, const Durations& durations,
                                  Sending sending) {
    holds_.assign(1, sending == Sending::in_program_order ? 1 : 0);
    const std::uint32_t lane_ends = graph::lanes_of(schedule) * schedule.stages;
    for (std::uint32_t i = 0; i < lane_ends && schedule.stages > 1; ++i) {
        holds_.push_back(durations.forward[i].hold > 0 ? 1 : 0);
        holds_.push_back(durations.backward[i].hold > 0 ? 1 : 0);
    }
}

bool SchedulePrograms::is_latest_of(const graph::PipelineSchedule& schedule, const Durations& durations,
                                    Sending sending) {
    read_holds(schedule, durations, sending);
    const Entry& latest = entries_[latest_];
    return schedule.identity != 0 && latest.identity == schedule.identity && latest.holds == holds_;
}

const ScheduleProgram& SchedulePrograms::of(const graph::PipelineSchedule& schedule,
                                            const Durations& durations, Sending sending) {
    read_holds(schedule, durations, sending);
    ++uses_;
    for (Entry& entry : entries_) {
        if (schedule.identity == 0 || entry.identity != schedule.identity || entry.holds != holds_) continue;
        entry.last_use = uses_;
        latest_ = static_cast<std::size_t>(&entry - entries_.data());
        return entry.program;
    }
    Entry entry{schedule.identity, uses_, uses_, holds_};
    compile(schedule, durations, sending, entry.program);
    std::erase_if(entries_, [](const Entry& other) { return other.identity == 0; });
    entries_.push_back(std::move(entry));
    forget_oldest();
    latest_ = entries_.size() - 1;
    return entries_.back().program;
}

const ShortProgram& SchedulePrograms::short_program(const graph::PipelineSchedule& schedule,
                                                    std::uint32_t left_out, const Durations& durations,
                                                    Sending sending) {
    constexpr std::size_t most_short_programs = 64;
    const std::uint64_t identity =
        schedule.identity - std::uint64_t{left_out} * schedule.steady.microbatches_per_round;
    const auto found = std::find_if(short_programs_.begin(), short_programs_.end(), [&](const Short& made) {
        return made.identity == identity && made.holds == holds_;
    });
    if (found != short_programs_.end()) return found->program;
    ShortProgram program{schedule, left_out, durations, sending};
    if (short_programs_.size() >= most_short_programs) short_programs_.clear();
    short_programs_.push_back({identity, holds_, std::move(program)});
    return short_programs_.back().program;
}

void SchedulePrograms::compile(const graph::PipelineSchedule& schedule, const Durations& durations,
                               Sending sending, ScheduleProgram& program) {
    const std::uint32_t left_out = schedule.identity == 0 ? 0 : rounds_to_leave_out(schedule);
    const bool is_made =
        left_out > 0 &&
        short_program(schedule, left_out, durations, sending).lengthen(schedule, left_out, program);
    if (!is_made) program.compile(schedule, durations, sending);
}

/// Keeps the program that was used last.
void SchedulePrograms::forget_oldest() {
    constexpr std::size_t most_entries = 512;  // more would take longer to search
    std::size_t steps = 0;
    for (const Entry& entry : entries_) steps += entry.program.steps().size();
    while ((steps > most_steps_ || entries_.size() > most_entries) && entries_.size() > 1) {
        const auto oldest =
            std::min_element(entries_.begin(), entries_.end(),
                             [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
        steps -= oldest->program.steps().size();
        entries_.erase(oldest);
    }
}

}  // namespace dse::sim::fold
