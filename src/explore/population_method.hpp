#pragma once

#include <optional>

#include "explore/method.hpp"

namespace dse::explore {

/// A method that breeds points from a population. The first points are drawn.
class PopulationMethod : public Method {
  public:
    std::vector<Genome> propose(std::size_t most) final;

  protected:
    /// \param knowledge  must outlive this object; its solutions count as proposed
    /// \param size       of the population, >= 4
    /// \param drawn      number of points that are drawn before the first is bred
    PopulationMethod(Knowledge& knowledge, std::size_t size, std::size_t drawn);

    [[nodiscard]] Knowledge& knowledge() const { return knowledge_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    /// Breeds a new point, claimed; nothing if there are no parents yet, or they have no new children.
    virtual std::optional<Genome> child() = 0;

    Knowledge& knowledge_;
    std::size_t size_;
    std::size_t drawn_;
    std::size_t proposed_;
};

}  // namespace dse::explore
