#pragma once

#include <cstdint>
#include <vector>

#include "bound_structure.hpp"
#include "expert_loads.hpp"

namespace dse::frontend {

/// Sets the schedules and numbers of a model's graphs. Reuses its memory, so that points do not allocate.
class NumberBinding {
  public:
    /// Sets the schedule of a structure for a point. \throws ModelError if there is no such schedule
    static void bind_schedule(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                              BoundStructure& bound);

    /// Sets the numbers of a structure for a point, unless they are set already.
    /// \param revision  last revision of any model's graphs; incremented if numbers change
    /// \throws ModelError if a dimension is not divisible
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
