#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// The pieces that a prompt fills completely; it may end in the middle of a piece.
std::span<const std::uint32_t> whole_pieces(const Requests& requests, std::size_t request);

/// The same, and those that its answer fills completely, if they are named. The last token is never cached.
std::span<const std::uint32_t> answered_pieces(const Requests& requests, std::size_t request);

/// Chooses the replica to send a request to.
class RequestRouter {
  public:
    RequestRouter(graph::Router rule, const Requests& requests, std::size_t replicas);

    /// \param loads  number of unanswered requests per replica
    std::size_t choose(std::size_t request, const std::vector<std::size_t>& loads);

  private:
    [[nodiscard]] std::size_t known_pieces(std::size_t request, std::size_t replica) const;
    [[nodiscard]] std::size_t best_known(std::size_t request, const std::vector<std::size_t>& loads) const;
    std::size_t choose_by_session(std::size_t request, const std::vector<std::size_t>& loads);

    const Requests& requests_;
    std::vector<std::vector<bool>> sent_;    ///< by replica and name of a piece; empty if not needed
    std::vector<std::uint32_t> session_of_;  ///< by request; empty if not needed
    std::vector<std::size_t> replica_of_;    ///< by session
};

/// The session of each request, numbered from 0. A request continues the session of the latest request whose
/// whole pieces are a prefix of its own prompt; if there are several such prefixes, the longest one counts.
/// Prefixes that have been continued in more than eight ways so far are common to many sessions, and do not
/// count.
std::vector<std::uint32_t> sessions_of(const Requests& requests);

}  // namespace dse::serving
