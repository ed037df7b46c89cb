#pragma once

#include "explore/population_method.hpp"
#include "explore/ranking.hpp"

namespace dse::explore {

/// NSGA-II with constraint domination: parents by tournaments, children by uniform crossover and mutation,
/// survivors by fronts and crowding. Children join as soon as they are told, a part of a generation at a
/// time. Source: Deb, Pratap, Agarwal, Meyarivan, IEEE TEC 6 (2002); steady state: Durillo, Nebro, Luna,
/// Alba, "On the effect of the steady-state selection scheme in multi-objective genetic algorithms", EMO
/// 2009.
class Nsga2 final : public PopulationMethod {
  public:
    /// \param knowledge   must outlive this object; its solutions are the first population
    /// \param population  >= 4
    Nsga2(Knowledge& knowledge, std::size_t population);

    void learn(std::span<const Solution> solutions) override;

  private:
    [[nodiscard]] std::size_t parent();
    std::optional<Genome> child() override;

    std::vector<Solution> population_;
    std::vector<Rank> ranks_;
};

}  // namespace dse::explore
