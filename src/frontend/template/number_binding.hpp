#pragma once

#include <cstdint>
#include <vector>

#include "bound_structure.hpp"
#include "expert_loads.hpp"

namespace dse::frontend {

/// Sets the schedules and numbers of a model's graphs. Reuses its memory, so that points do not allocate.
class NumberBinding {
  public:
    /// Gives a structure the schedule of a point: the one of the structure before it where that is the same,
    /// which is bound to none then.
    /// \throws ModelError where there is no such schedule
    void bind_schedule(const graph::WorkloadSpec& workload, const graph::ResolvedLayout& layout,
                       BoundStructure& bound);

    /// Sets the numbers of a structure for a point, unless they are set already.
    /// \param revision  last revision of any model's graphs; incremented if numbers change
    /// \throws ModelError if a dimension is not divisible
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
