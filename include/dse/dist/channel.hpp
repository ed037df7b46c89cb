#pragma once

#include <optional>

#include "dse/dist/message.hpp"

namespace dse::dist {

/// Communication between ranks. No function ever waits for another rank; messages between two ranks keep
/// their order.
class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// \param to  another rank
    virtual void send(int to, const Message& message) = 0;
    virtual std::optional<Message> try_receive() = 0;
};

}  // namespace dse::dist
