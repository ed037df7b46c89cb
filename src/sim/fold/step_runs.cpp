#include "step_runs.hpp"

#include <cstddef>
#include <cstdint>

namespace dse::sim::fold {

namespace {

/// Number of rounds below which there is nothing to gain.
constexpr std::uint32_t least_rounds_of_run = 16;

/// Whether a value goes to the next task of the same kind: the ends of the pipeline have the same slots for
/// all.
bool is_next_slot(std::uint32_t slot, std::uint32_t before) {
    return before <= nobody ? slot == before : slot == before + 1;
}

bool is_next_task(const Step& task, const Step& before) {
    return task.kind == Step::Kind::task && before.kind == Step::Kind::task && task.stage == before.stage &&
           task.variant == before.variant && is_next_slot(task.in, before.in) &&
           is_next_slot(task.out, before.out);
}

bool is_message_of(const Step& transfer, const Step& task) {
    return transfer.kind == Step::Kind::transfer && transfer.stage == task.stage && transfer.in == task.out;
}

bool is_same_way(const Step& transfer, const Step& before) {
    return transfer.is_backward == before.is_backward && transfer.out == before.out &&
           transfer.microbatch == before.microbatch;
}

/// The run that begins with a step. \return of one round, if the next step or message is another one
StepRun run_at(std::span<const Step> steps, std::size_t begin) {
    const Step& first = steps[begin];
    StepRun run{begin, 1, 1, 1};
    if (begin + 1 < steps.size() && is_message_of(steps[begin + 1], first)) run.steps = 2;
    for (std::size_t next = run.end(); next + run.steps <= steps.size(); next = run.end()) {
        const Step& before = steps[next - run.steps];
        if (!is_next_task(steps[next], before)) break;
        const std::uint32_t grown = steps[next].microbatch - before.microbatch;
        if (run.rounds == 1) run.microbatch = grown;
        if (grown != run.microbatch) break;
        const bool sends = run.steps == 2;
        if (sends && !is_message_of(steps[next + 1], steps[next])) break;
        if (sends && !is_same_way(steps[next + 1], steps[next - 1])) break;
        ++run.rounds;
    }
    return run;
}

}  // namespace

void find_step_runs(std::span<const Step> steps, std::vector<StepRun>& runs) {
    for (std::size_t begin = 0; begin < steps.size();) {
        if (steps[begin].kind != Step::Kind::task) {
            ++begin;
            continue;
        }
        const StepRun run = run_at(steps, begin);
        if (run.rounds >= least_rounds_of_run) runs.push_back(run);
        begin = run.end();
    }
}

}  // namespace dse::sim::fold
