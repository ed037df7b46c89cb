#pragma once

#include "dse/frontend/template/sharding.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/workload_spec.hpp"

namespace dse::frontend {

/// Which tokens devices send to experts. In training, the tokens of a group are divided among its devices, as
/// in Megatron-LM. In serving (vLLM, SGLang, TensorRT-LLM), every tensor-parallel rank has all tokens,
/// whether experts are split (etp) or distributed (ep) over the group, and the results are summed over it
/// once.
RoutedTokens routed_tokens(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout);

}  // namespace dse::frontend
