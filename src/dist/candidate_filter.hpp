#pragma once

#include <optional>
#include <vector>

#include "dist/front_sample.hpp"
#include "dse/dist/message.hpp"
#include "dse/space/goals.hpp"

namespace dse::dist {

/// Collects the costs of records that enter this rank's front, to be sent to rank 0.
class CandidateFilter {
  public:
    explicit CandidateFilter(space::Goals goals);

    void look_at(const space::Record& record);

    /// A message with the costs that entered the front since the last call, limited to the most recent ones;
    /// nothing if there are none.
    [[nodiscard]] std::optional<Message> take();

  private:
    space::Goals goals_;
    FrontSample front_;
    std::vector<std::vector<double>> entered_;
};

}  // namespace dse::dist
