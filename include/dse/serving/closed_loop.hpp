#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// What the clients of a closed loop send. Without conversations (Requests::pauses), whoever is free first
/// sends the first request that nobody has sent. Otherwise each client has one conversation at a time, sends
/// its next request a pause after the last answer, and begins another conversation when it has ended.
class ClosedLoop {
  public:
    /// \param requests  must outlive this object
    /// \param first     number of the first request, or conversation, of these clients
    /// \param stride    theirs are every `stride`th from there
    ClosedLoop(const Requests& requests, std::size_t first, std::size_t stride);

    struct Next {
        std::optional<std::size_t> place{};  ///< index of the request; nothing: the first unsent, if any is
        Ticks pause{0};                      ///< before it
    };
    /// What a client sends after the request at `place`, or first of all; nothing if no conversation is left.
    std::optional<Next> after(std::optional<std::size_t> place);

    /// Requests of all these clients.
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] bool has_conversations() const { return requests_.has_pauses(); }

  private:
    const Requests& requests_;
    std::vector<std::size_t> openings_;  ///< indexes of the first requests of conversations
    std::size_t begun_{0};               ///< conversations
    std::size_t count_{0};
};

}  // namespace dse::serving
