#pragma once

#include <map>
#include <span>

#include "dse/frontend/template/formula.hpp"
#include "dse/workload/routing.hpp"

namespace dse::frontend {

/// How much more than the mean the fullest device of a group gets, for every dimension that counts rows of
/// experts. Keeps what it has worked out.
class ExpertLoads {
  public:
    /// Sets Numbers::loads. \param dims  extents of the dimensions, by DimId
    void evaluate(const workload::Routing& routing, const Dimensions& dimensions,
                  std::span<const double> dims, Numbers& numbers);

    /// Sets Numbers::touched, likewise.
    static void evaluate_touched(const Dimensions& dimensions, std::span<const double> dims,
                                 Numbers& numbers);

  private:
    double find(const workload::Routing& routing, const workload::RoutedLayer& layer);

    workload::Routing routing_;  ///< that `known_` holds for
    std::map<workload::RoutedLayer, double> known_;
};

}  // namespace dse::frontend
