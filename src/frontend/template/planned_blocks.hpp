#pragma once

#include <map>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "dse/frontend/template/pass_plan.hpp"
#include "dse/frontend/template/sharding.hpp"
#include "dse/graph/parallel_layout.hpp"
#include "model_blocks.hpp"
#include "structure.hpp"
#include "structure_key.hpp"

namespace dse::frontend {

/// The distinct blocks of a model for one choice of options, sharded, with their passes.
struct PlannedBlocks {
    std::vector<Block> blocks{};
    std::vector<Sharding> shardings{};  ///< by block
    std::vector<BlockPlans> plans{};    ///< by block
    Extents extents{};                  ///< those that the plans refer to
    graph::AxisSet active{};            ///< axes with more than one device; expert axes only if it routes
    bool routes{false};                 ///< whether the model has experts
    bool splits{false};                 ///< whether the backward passes are there in two parts, too
};

/// Plans the blocks of a model. Structures that differ only in how stages divide the layers share a plan.
class BlockPlanner {
  public:
    explicit BlockPlanner(ModelBlocks& model) : model_{model} {}

    /// \param stack   what the structure is built with: workload.stack, or its forward part
    /// \param stages  units of each pipeline stage; layers with a policy of their own (see
    ///                apply_layer_policies) use blocks of their own afterwards
    /// \return valid until the next call
    /// \throws ModelError if the layout is not possible with this model
    const PlannedBlocks& plan(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                              const graph::SoftwareStack& stack, std::vector<StageUnits>& stages);

    void forget() { known_.clear(); }

    /// The blocks of a workload in any layout.
    /// \throws ModelError if the model does not have what the workload names, or not this mode
    [[nodiscard]] std::vector<Block> make_blocks(const graph::WorkloadSpec& workload,
                                                 const graph::SoftwareStack& stack);

  private:
    void require_possible(const PlannedBlocks& planned, const graph::ResolvedLayout& layout, bool is_divided);

    ModelBlocks& model_;
    std::map<StructureKey, PlannedBlocks> known_;
    PlannedBlocks alone_;  ///< blocks of which some layers have a policy of their own
};

}  // namespace dse::frontend
