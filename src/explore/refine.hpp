#pragma once

#include <deque>
#include <unordered_set>

#include "explore/method.hpp"

namespace dse::explore {

/// Starting from the best known points, tries all neighbours along each axis until none of them is better:
/// the next lower and higher value if values are ordered, else every other value. If a step along an axis
/// leaves the space, a second axis is changed with it.
/// Source: Paquete, Chiarandini, Stützle, "Pareto local optimum sets in the biobjective traveling salesman
/// problem" (2004): Pareto local search.
class Refine final : public Method {
  public:
    /// \param knowledge  must outlive this object
    /// \param draws      number of points to draw first if nothing is known
    Refine(Knowledge& knowledge, std::size_t draws);
    ~Refine() override;

    std::vector<Genome> propose(std::size_t most) override;
    void learn(std::span<const Solution> solutions) override;

  private:
    bool expand_next();
    void expand(const Genome& genome);
    void step(const Genome& genome, std::size_t axis, std::uint64_t digit);
    void step_with_another(const Genome& genome, std::size_t axis);

    Knowledge& knowledge_;
    std::size_t draws_;
    std::unordered_set<Genome, GenomeHash> expanded_;
    std::deque<Genome> waiting_;  ///< claimed, not proposed yet
};

}  // namespace dse::explore
