#pragma once

#include <cstdint>

#include "dse/sim/fold/schedule_program.hpp"
#include "support/small_graph.hpp"

namespace dse::test {

/// One kernel a pass on every stage.
inline SmallGraph pipeline(graph::ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                           std::uint32_t chunks = 1) {
    SmallGraph made;
    made.pipeline(kind, stages, microbatches, chunks);
    made.graph.schedule.identity = graph::identity_of(kind, made.graph.schedule);
    const graph::RegionId forward = made.pass(1);
    const graph::RegionId backward = made.pass(2);
    made.program(forward, backward);
    made.split_and_join(backward, made.pass(1), 3);
    made.finish();
    return made;
}

/// Its program, with all steady rounds.
inline sim::fold::ScheduleProgram compiled(const SmallGraph& made) {
    sim::fold::ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    return program;
}

}  // namespace dse::test
