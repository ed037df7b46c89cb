#pragma once

#include <map>
#include <span>

#include "dse/frontend/template/formula.hpp"
#include "dse/graph/routing.hpp"

namespace dse::frontend {

/// How much more than the mean the fullest device of a group gets, for every dimension that counts rows of
/// experts. Keeps what it has worked out.
class ExpertLoads {
  public:
    /// Sets Numbers::loads. \param dims  extents of the dimensions, by DimId
    void evaluate(const graph::Routing& routing, const Dimensions& dimensions, std::span<const double> dims,
                  Numbers& numbers);

    /// Sets Numbers::touched, likewise.
    static void evaluate_touched(const Dimensions& dimensions, std::span<const double> dims,
                                 Numbers& numbers);

  private:
    double find(const graph::Routing& routing, const graph::RoutedLayer& layer);

    graph::Routing routing_;  ///< that `known_` holds for
    std::map<graph::RoutedLayer, double> known_;
};

}  // namespace dse::frontend
