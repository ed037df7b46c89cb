#pragma once

#include <optional>

#include "explore/method.hpp"

namespace dse::explore {

/// A method that breeds points from a population. The first ones are drawn.
class PopulationMethod : public Method {
  public:
    std::vector<Genome> propose(std::size_t most) final;

  protected:
    /// \param knowledge  outlives this; what it knows counts as proposed
    /// \param size       of the population, >= 4
    /// \param drawn      points that are drawn before the first is bred
    PopulationMethod(Knowledge& knowledge, std::size_t size, std::size_t drawn);

    [[nodiscard]] Knowledge& knowledge() const { return knowledge_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    /// A new point from parents, claimed; none where there are no parents yet or they have no other children.
    virtual std::optional<Genome> child() = 0;

    Knowledge& knowledge_;
    std::size_t size_;
    std::size_t drawn_;
    std::size_t proposed_;
};

}  // namespace dse::explore
