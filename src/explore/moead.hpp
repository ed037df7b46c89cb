#pragma once

#include "explore/population_method.hpp"

namespace dse::explore {

/// MOEA/D: a population of weight vectors of the objectives, each with the best solution known for it;
/// parents are solutions of nearby weights. The best solution for a weight has the smallest maximum weighted
/// distance from the ideal (Tchebycheff), with costs scaled to the range of the current front; infeasible
/// ones are compared by their violation. Source: Zhang, Li, "MOEA/D: a multiobjective evolutionary algorithm
/// based on decomposition", IEEE TEC 11 (2007); a child goes to the weight that it suits best: Wang, Zhang,
/// Zhou, Gong, Jiao, "Adaptive replacement strategies for MOEA/D", IEEE Trans. Cybernetics 46 (2016).
class Moead final : public PopulationMethod {
  public:
    /// \param knowledge  must outlive this object; its solutions are used
    /// \param weights    >= 4
    Moead(Knowledge& knowledge, std::size_t weights);

    void learn(std::span<const Solution> solutions) override;

  private:
    struct Problem {
        std::vector<double> weight;
        std::vector<std::size_t> near;  ///< indices of problems, itself first
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
    std::vector<Problem> problems_;  ///< empty until the first solution sets the number of objectives
    std::vector<double> ideal_;
    std::vector<double> range_;
};

}  // namespace dse::explore
