#pragma once

#include "dse/graph/pipeline.hpp"

namespace dse::graph {

/// Lists the tasks of all stages and the steady phase.
/// \pre the stages have no tasks yet; all other fields are set
void list_zero_bubble_v(PipelineSchedule& schedule);
void list_dual_pipe(PipelineSchedule& schedule);

}  // namespace dse::graph
