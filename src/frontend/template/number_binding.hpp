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
    /// Gives a structure the schedule of a point. \throws ModelError where there is no such schedule
    static void bind_schedule(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                              BoundStructure& bound);

    /// Gives a structure the numbers of a point, unless it has them.
    /// \param revision  the last one given to a graph, of whatever model; goes up where numbers change
    /// \throws ModelError where a dimension does not divide
    void bind_numbers(const ModelBlocks& model, const graph::WorkloadSpec& workload,
                      const graph::ResolvedLayout& layout, std::uint64_t& revision, BoundStructure& bound);

  private:
    void set_symbols(const ModelBlocks& model, const graph::ResolvedLayout& layout,
                     const BoundStructure& bound, const Binding& binding);

    Numbers numbers_;
    std::vector<double> symbols_;
    std::vector<double> dims_;
    ExpertLoads loads_;
};

}  // namespace dse::frontend
