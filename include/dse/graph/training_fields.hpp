#pragma once

#include <string_view>

namespace dse::graph {

/// Whether a field of the software stack has no effect in inference: a DSE_TRAINING_FIELD of
/// software_stack.def, which forward_part() resets.
/// \param name  as in workload files, "zero"; false for names of no field
bool is_for_training(std::string_view name);

}  // namespace dse::graph
