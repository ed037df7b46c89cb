#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explore/knowledge.hpp"

namespace dse::explore {

/// A method by which a learning search chooses points. It starts from the knowledge gathered by previous
/// methods; its proposals depend only on that, on what it learns, and on the seed.
class Method {
  public:
    Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    virtual ~Method() = default;

    /// Proposes the next points, claimed.
    /// \return none if more must be learnt first, or the method is finished
    virtual std::vector<Genome> propose(std::size_t most) = 0;

    /// Solutions of points, in the order in which they were proposed (by this or by a previous method). The
    /// knowledge already contains them.
    virtual void learn(std::span<const Solution> solutions) = 0;
};

}  // namespace dse::explore
