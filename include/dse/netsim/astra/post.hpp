#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "dse/netsim/astra/events.hpp"
#include "dse/netsim/astra/links.hpp"

namespace dse::netsim {

/// When the sender of a message may send it.
enum class AstraProtocol : std::uint8_t {
    eager,       ///< at once
    rendezvous,  ///< once a word of the receiver is there that it waits for the message
};

/// What tells messages apart. Of those that are alike, the k-th received is the k-th sent.
struct AstraMessage {
    std::int64_t tag{0};
    std::int64_t from{0};  ///< rank
    std::int64_t to{0};    ///< rank
    std::int64_t bytes{0};

    friend auto operator<=>(const AstraMessage&, const AstraMessage&) = default;
};

/// Carries messages between ranks, over links that they share or not, and matches them with receives.
class AstraPost {
  public:
    using Action = AstraEvents::Action;

    /// The system and the events outlive it.
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
