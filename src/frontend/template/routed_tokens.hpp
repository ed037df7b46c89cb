#pragma once

#include "dse/frontend/template/sharding.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// Which tokens devices send to experts. Training shares a group's tokens out, as Megatron-LM does. vLLM,
/// SGLang and TensorRT-LLM serve with tokens that every tensor-parallel rank has, whether experts are split
/// (etp) or shared out (ep) over the group, and sum over it once.
RoutedTokens routed_tokens(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

}  // namespace dse::frontend
