#include "dse/netsim/astra/post.hpp"

#include <utility>

namespace dse::netsim {
namespace {

/// Size of the rendezvous message from the receiver, and the offset that separates its tag from those of data
/// messages.
constexpr std::int64_t word_bytes = 8192;
constexpr std::int64_t word_tags = 1'000'000'000;

AstraMessage word_for(const AstraMessage& message) {
    return {message.tag + word_tags, message.to, message.from, word_bytes};
}

}  // namespace

AstraPost::AstraPost(const AstraSystem& system, AstraNetwork network, AstraProtocol protocol,
                     AstraEvents& events)
    : system_{system}, protocol_{protocol}, events_{events} {
    if (network == AstraNetwork::aware) links_.emplace(system);
}

void AstraPost::send(const AstraMessage& message, Action sent) {
    if (protocol_ == AstraProtocol::eager) {
        transmit(message, std::move(sent));
        return;
    }
    expect(word_for(message),
           [this, message, sent = std::move(sent)]() mutable { transmit(message, std::move(sent)); });
}

void AstraPost::receive(const AstraMessage& message, Action received) {
    if (protocol_ == AstraProtocol::eager) {
        expect(message, std::move(received));
        return;
    }
    // The receiver waits for the message only after its rendezvous message has arrived at the sender.
    transmit(word_for(message), [this, message, received = std::move(received)]() mutable {
        expect(message, std::move(received));
    });
}

void AstraPost::transmit(const AstraMessage& message, Action sent) {
    Slot& own = slot(message);
    own.second.sent.push_back(std::move(sent));
    if (!links_) {
        const Ticks delay = system_.delay(message.from, message.to, message.bytes);
        events_.at(events_.now() + delay, [this, &own] { arrive(own); });
        return;
    }
    if (arrivals_.empty()) {
        arrivals_.push_back(static_cast<std::int64_t>(journeys_.size()));
        journeys_.push_back(nullptr);
    }
    const std::int64_t journey = arrivals_.back();
    arrivals_.pop_back();
    journeys_[static_cast<std::size_t>(journey)] = &own;
    travel({message.from, message.to, message.bytes, journey});
}

void AstraPost::expect(const AstraMessage& message, Action received) {
    Channel& channel = slot(message).second;
    if (channel.arrived == 0) {
        channel.awaiting.push_back(std::move(received));
        return;
    }
    --channel.arrived;
    events_.at(events_.now(), std::move(received));
}

void AstraPost::arrive(Slot& slot) {
    Channel& channel = slot.second;
    const Action sent = std::move(channel.sent.front());
    channel.sent.pop_front();
    Action received;
    if (channel.awaiting.empty()) {
        ++channel.arrived;
    } else {
        received = std::move(channel.awaiting.front());
        channel.awaiting.pop_front();
    }
    if (sent) sent();
    if (received) received();
}

void AstraPost::travel(const AstraLinks::Journey& journey) {
    if (journey.at != journey.to) {
        depart(links_->offer(journey, events_.now()));
        return;
    }
    arrivals_.push_back(journey.message);
    arrive(*journeys_[static_cast<std::size_t>(journey.message)]);
}

void AstraPost::depart(const AstraLinks::Departure* departure) {
    if (departure == nullptr) return;
    const AstraLinks::Departure left = *departure;
    events_.at(left.arrives, [this, journey = left.journey] { travel(journey); });
    events_.at(left.frees_link, [this, from = left.from, next = left.next] {
        depart(links_->free(from, next, events_.now()));
    });
}

}  // namespace dse::netsim
