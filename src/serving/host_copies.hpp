#pragma once

#include <algorithm>
#include <span>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/step_time.hpp"

namespace dse::serving {

/// Time of a step whose prompts go on from caches in host memory. Whole caches come before the step (LMCache,
/// TensorRT-LLM); by layers, while the layers before are computed (SGLang's HiCache), so that the step takes
/// the longer of both. Ranks copy at the same time.
/// \param devices  time of the step without copies
inline Ticks with_copies(Ticks devices, graph::HostLoad load, std::span<const Batch> ranks) {
    Ticks copy = 0;
    for (const Batch& batch : ranks) copy = std::max(copy, batch.copy);
    return load == graph::HostLoad::layers ? std::max(devices, copy) : devices + copy;
}

}  // namespace dse::serving
