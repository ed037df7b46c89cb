#include "routed_tokens.hpp"

namespace dse::frontend {

using graph::MeshAxis;

RoutedTokens routed_tokens(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout) {
    const graph::Mesh& mesh = layout.mesh;
    const std::int64_t group = mesh.degree(MeshAxis::tensor);
    const std::int64_t experts = mesh.degree(MeshAxis::expert) * mesh.degree(MeshAxis::expert_tensor);
    const bool alone = group > 1 && experts == group && mesh.degree(MeshAxis::context) == 1;
    return is_inference(workload.mode) && alone ? RoutedTokens::everywhere : RoutedTokens::own;
}

}  // namespace dse::frontend
