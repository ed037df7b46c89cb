#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "dse/netsim/astra/events.hpp"
#include "dse/netsim/astra/links.hpp"

namespace dse::netsim {

/// When a message may be sent.
enum class AstraProtocol : std::uint8_t {
    eager,       ///< immediately
    rendezvous,  ///< once a notification that the receiver is waiting has arrived
};

/// Identity of a message. Of equal messages, the k-th received is the k-th sent.
struct AstraMessage {
    std::int64_t tag{0};
    std::int64_t from{0};  ///< rank
    std::int64_t to{0};    ///< rank
    std::int64_t bytes{0};

    friend auto operator<=>(const AstraMessage&, const AstraMessage&) = default;
};

/// Transmits messages between ranks, over shared or independent links, and matches them with receives.
class AstraPost {
  public:
    using Action = AstraEvents::Action;

    /// \param system, events  must outlive this object
    AstraPost(const AstraSystem& system, AstraNetwork network, AstraProtocol protocol, AstraEvents& events);

    /// \param sent  done once the message is there, received or not; may be empty
    void send(const AstraMessage& message, Action sent);
    /// \param received  done once the message is there; if it is already, at the end of this tick's list
    void receive(const AstraMessage& message, Action received);

  private:
    /// Messages that are alike.
    struct Channel {
        std::deque<Action> sent;      ///< of those on their way, in order
        std::deque<Action> awaiting;  ///< receives without a message
        std::int64_t arrived{0};      ///< messages without a receive
    };
    using Slot = std::pair<const AstraMessage, Channel>;

    void transmit(const AstraMessage& message, Action sent);
    void expect(const AstraMessage& message, Action received);
    void arrive(Slot& slot);
    void travel(const AstraLinks::Journey& journey);
    void depart(const AstraLinks::Departure* departure);
    Slot& slot(const AstraMessage& message) { return *channels_.try_emplace(message).first; }

    const AstraSystem& system_;
    AstraProtocol protocol_;
    AstraEvents& events_;
    std::optional<AstraLinks> links_;
    std::map<AstraMessage, Channel> channels_;
    std::vector<Slot*> journeys_;         ///< by AstraLinks::Journey::message
    std::vector<std::int64_t> arrivals_;  ///< of journeys_, those to be used again
};

}  // namespace dse::netsim
