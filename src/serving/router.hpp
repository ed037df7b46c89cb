#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// Chooses the replica to send a request to.
class RequestRouter {
  public:
    RequestRouter(graph::Router rule, const Requests& requests, std::size_t replicas);

    /// \param loads  number of unanswered requests per replica
    std::size_t choose(std::size_t request, const std::vector<std::size_t>& loads);

  private:
    [[nodiscard]] std::size_t known_pieces(std::size_t request, std::size_t replica) const;
    [[nodiscard]] std::size_t best_known(std::size_t request, const std::vector<std::size_t>& loads) const;

    const Requests& requests_;
    std::vector<std::vector<bool>> sent_;  ///< by replica and name of a piece; empty where no matter
};

}  // namespace dse::serving
