#pragma once

#include <optional>
#include <string_view>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// Whether this is a kernel of NCCL or RCCL.
bool is_collective_kernel(std::string_view name);

/// The standard's type for a collective's name in PyTorch or NCCL; unknown for messages and anything else.
chakra::CommType comm_type(std::string_view name);

/// What such a kernel does, according to its own note, else the annotation around its launch, else its name.
/// \param around  may be nullptr
CollectiveWork collective_work(const DeviceWork& kernel, const CollectiveNote* around);

}  // namespace dse::trace::kineto
