#pragma once

#include <cstdint>
#include <vector>

#include "bound_structure.hpp"
#include "expert_loads.hpp"

namespace dse::frontend {

/// Gives the graphs of a model their schedules and numbers. Keeps its memory, so that a point allocates
/// nothing.
class NumberBinding {
  public:
    /// Gives a structure the schedule of a point: the one of the structure before it where that is the same,
    /// which is bound to none then. \throws ModelError where there is no such schedule
    void bind_schedule(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                       BoundStructure& bound);

    /// Gives a structure the numbers of a point, unless it has them.
    /// \param revision  the last one given to a graph, of whatever model; goes up where numbers change
    /// \throws ModelError where a dimension does not divide
    void bind_numbers(const ModelBlocks& model, const graph::WorkloadSpec& workload,
                      const graph::ResolvedLayout& layout, std::uint64_t& revision, BoundStructure& bound);

    /// To be called before structures go.
    void forget() { latest_ = nullptr; }

  private:
    bool take_latest_schedule(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                              BoundStructure& bound);
    void set_symbols(const ModelBlocks& model, const graph::ResolvedLayout& layout,
                     const BoundStructure& bound, const SizeBinding& binding);
    void evaluate_graph(Structure& structure, bool keeps_sizes) const;

    Numbers numbers_;
    std::vector<double> symbols_;
    std::vector<double> dims_;
    ExpertLoads loads_;
    BoundStructure* latest_{nullptr};  // that was given a schedule of training
};

}  // namespace dse::frontend
