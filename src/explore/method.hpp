#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explore/knowledge.hpp"

namespace dse::explore {

/// How a search that learns chooses points. It works on knowledge that others before it may have gathered;
/// what it proposes is a function of that, of what it is told, and of the seed alone.
class Method {
  public:
    Method() = default;
    Method(const Method&) = delete;
    Method& operator=(const Method&) = delete;
    virtual ~Method() = default;

    /// The next points, claimed.
    /// \return none where more must be told first, or it has come to its end
    virtual std::vector<Genome> propose(std::size_t most) = 0;

    /// What came of points, in the order in which they were proposed (by this or by a method before it). The
    /// knowledge has them already.
    virtual void learn(std::span<const Solution> solutions) = 0;
};

}  // namespace dse::explore
