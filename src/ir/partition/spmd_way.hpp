#pragma once

#include <optional>
#include <vector>

#include "ir/partition/product_ways.hpp"
#include "ir/partition/relations.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How XLA's SPMD partitioner, which partitions JAX's programs after Shardy's propagation, computes the
/// operations of a program whose arrays have given layouts.
class SpmdWays {
  public:
    /// \param program, slots  must outlive this object
    /// \param mesh  all axes of the mesh
    SpmdWays(const Program& program, const Slots& slots, const Axes& mesh)
        : program_{program}, slots_{slots}, mesh_{mesh}, products_{slots, mesh} {}

    /// \param layouts  of the relation's arrays; these and the relation must outlive this object
    /// \return nothing if that is not known: the way that sends the fewest bytes is then used (chosen_axes)
    std::optional<Way> of(const Operation& operation, const Relation& relation,
                          const std::vector<const Layout*>& layouts);

  private:
    const Program& program_;
    const Slots& slots_;
    Axes mesh_;
    ProductWays products_;
};

}  // namespace dse::ir::partition
