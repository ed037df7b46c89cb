#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/graph/parallel_layout.hpp"
#include "dse/graph/routing.hpp"
#include "frontend/template/structure.hpp"
#include "model_blocks.hpp"
#include "planned_blocks.hpp"

namespace dse::frontend {

/// All that the sizes in a graph follow from.
struct SizeBinding {
    double batch{0};
    double sequence{0};
    std::array<std::int64_t, graph::mesh_axis_count> mesh{};
    std::array<graph::MeshAxis, graph::mesh_axis_count> order{};
    graph::Precision precision{};
    graph::Precision gradient_precision{};
    graph::ReductionPrecision reduction_precision{};
    graph::Precision master_precision{};
    graph::Precision optimizer_precision{};
    graph::PrimaryWeights primary_weights{};
    bool gather_casts{false};
    bool keep_weight_casts{false};
    graph::Routing routing;
    double context{0};
    double cached{0};
    double served{0};
    graph::CachePrecision cache{};
    graph::StatePrecision state{};
    friend bool operator==(const SizeBinding&, const SizeBinding&) = default;
};

/// All that the numbers of a graph follow from: a point that agrees in all of it needs no evaluation.
struct Binding {
    SizeBinding sizes;
    double exposed_tp{0};
    double exposed_cp{0};
    double exposed_ep{0};
    double unpaired_ep{0};
    double exposed_dp{0};
    double exposed_pp{0};
    friend bool operator==(const Binding&, const Binding&) = default;
};

/// The structure of a model for one choice of options, and the last binding of its graph's numbers.
struct BoundStructure {
    Structure structure;
    bool has_experts{false};
    bool has_sequences{false};
    std::vector<std::size_t> replicable;  ///< ModelBlocks::replicable_symbols

    Binding binding{};
    graph::ScheduleKind schedule_kind{};
    std::uint32_t microbatches{0};
    std::uint32_t steps{0};
};

/// Builds the structure of a model without a binding.
/// \param planner  of this model
/// \throws ModelError if the layout is not possible with this model
BoundStructure make_structure(ModelBlocks& model, BlockPlanner& planner, const graph::WorkloadSpec& workload,
                              const graph::ResolvedLayout& layout);

}  // namespace dse::frontend
