#pragma once

#include "explore/population_method.hpp"

namespace dse::explore {

/// MOEA/D: a population of weights of the objectives, each with the best solution known for it; parents are
/// solutions of near weights. What is best for a weight is what has the smallest of its weighted distances
/// from the ideal (Tchebycheff), of costs scaled to the range of the front so far; what is not feasible, by
/// how far it is from that. Source: Zhang, Li, "MOEA/D: a multiobjective evolutionary algorithm based on
/// decomposition", IEEE TEC 11 (2007); a child goes to the weight that it suits best: Wang, Zhang, Zhou,
/// Gong, Jiao, "Adaptive replacement strategies for MOEA/D", IEEE Trans. Cybernetics 46 (2016).
class Moead final : public PopulationMethod {
  public:
    /// \param knowledge  outlives this; what is known already is used
    /// \param weights    >= 4
    Moead(Knowledge& knowledge, std::size_t weights);

    void learn(std::span<const Solution> solutions) override;

  private:
    struct Problem {
        std::vector<double> weight;
        std::vector<std::size_t> near;  ///< problems, itself first
        Solution best;                  ///< without a genome: none yet
    };

    void make_weights();
    void make_neighbourhoods();
    std::optional<Genome> child() override;
    void place(const Solution& solution);
    [[nodiscard]] const Problem& problem_for(const Solution& solution);
    [[nodiscard]] bool suits_better(const Problem& problem, const Solution& one, const Solution& other) const;
    [[nodiscard]] double distance(const Problem& problem, const Solution& solution) const;
    void scale_to_front();

    std::size_t turn_{0};
    std::vector<Problem> problems_;  ///< none before the first solution says how many objectives there are
    std::vector<double> ideal_;
    std::vector<double> range_;
};

}  // namespace dse::explore
