#pragma once

#include <optional>
#include <string_view>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// Whether a kernel is one of NCCL or RCCL.
bool is_collective_kernel(std::string_view name);

/// The standard's kind of what PyTorch or NCCL call a collective; unknown of messages, and of what is none.
chakra::CommType comm_type(std::string_view name);

/// What such a kernel does, by its own note, else by the annotation around its launch, else by its name
/// alone. \param around  may be nullptr
CollectiveWork collective_work(const DeviceWork& kernel, const CollectiveNote* around);

}  // namespace dse::trace::kineto
