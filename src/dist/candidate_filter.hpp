#pragma once

#include <optional>
#include <vector>

#include "dist/front_sample.hpp"
#include "dse/dist/message.hpp"
#include "dse/space/goals.hpp"

namespace dse::dist {

/// Watches records and keeps the costs of those that enter the front of this rank, to be told to rank 0.
class CandidateFilter {
  public:
    explicit CandidateFilter(space::Goals goals);

    void look_at(const space::Record& record);

    /// A message with what entered the front since the last call, the latest of it if there is much; none
    /// where nothing did.
    [[nodiscard]] std::optional<Message> take();

  private:
    space::Goals goals_;
    FrontSample front_;
    std::vector<std::vector<double>> entered_;
};

}  // namespace dse::dist
