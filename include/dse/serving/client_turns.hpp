#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// The order in which the clients of a closed loop send the requests of conversations (Requests::pauses):
/// each client has one conversation at a time, sends its next request a pause after the last answer, and
/// begins another conversation when it has ended.
class ClientTurns {
  public:
    /// \param requests  must outlive this object
    /// \param first     number of the first conversation of these clients
    /// \param stride    theirs are every `stride`th from there
    ClientTurns(const Requests& requests, std::size_t first, std::size_t stride);

    struct Next {
        std::size_t place{0};  ///< index of the request
        Ticks pause{0};        ///< before it
    };
    /// What a client sends after the request at `place`, or first of all; nothing if no conversation is left.
    std::optional<Next> after(std::optional<std::size_t> place);

    /// Requests of all these conversations.
    [[nodiscard]] std::size_t count() const { return count_; }

  private:
    const Requests& requests_;
    std::vector<std::size_t> openings_;  ///< indexes of the first requests
    std::size_t begun_{0};               ///< conversations
    std::size_t count_{0};
};

}  // namespace dse::serving
