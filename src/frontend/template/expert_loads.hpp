#pragma once

#include <map>
#include <span>

#include "dse/frontend/template/formula.hpp"
#include "dse/graph/expert_tiles.hpp"
#include "dse/graph/routing.hpp"

namespace dse::frontend {

/// Load of the fullest device of a group relative to the mean, for each dimension that counts rows of
/// experts. Caches its results.
class ExpertLoads {
  public:
    /// Sets Numbers::loads and Numbers::experts_in_turn. \param dims  extents of the dimensions, by DimId
    void evaluate(const graph::Routing& routing, const Dimensions& dimensions, std::span<const double> dims,
                  Numbers& numbers);

    /// Sets Numbers::touched. \param dims  extents of the dimensions, by DimId
    static void evaluate_touched(const graph::Routing& routing, const graph::ExpertTiles& tiles,
                                 const Dimensions& dimensions, std::span<const double> dims,
                                 Numbers& numbers);

  private:
    double find(const graph::Routing& routing, const graph::RoutedLayer& layer);

    graph::Routing routing_;  ///< the routing of the results in `known_`
    std::map<graph::RoutedLayer, double> known_;
};

}  // namespace dse::frontend
