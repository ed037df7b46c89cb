#include "netsim/astra/exchange.hpp"

#include <algorithm>

namespace dse::netsim {
namespace {

using graph::CollectiveKind;

std::int64_t window_of(const AstraPhase& phase) {
    const std::int64_t others = phase.nodes - 1;
    const std::int64_t window = phase.algorithm.window;
    return window == 0 ? others : std::min(window, others);
}

/// Number of messages per direct cycle whose contents are added. Within a group, ASTRA-sim's cycle is long
/// enough to charge for adding final results as well.
std::int64_t direct_reduced(const AstraPhase& phase) {
    return phase.of_group ? (phase.nodes - 1) * window_of(phase) : window_of(phase);
}

}  // namespace

AstraNeighbours neighbours(std::int64_t index, std::int64_t nodes, std::int64_t distance,
                           AstraDirection direction) {
    const std::int64_t on = (index + distance) % nodes;
    const std::int64_t back = (index + nodes - distance) % nodes;
    return direction == AstraDirection::clockwise ? AstraNeighbours{on, back} : AstraNeighbours{back, on};
}

AstraExchange::AstraExchange(const AstraPhase& phase, std::int64_t messages, std::int64_t window,
                             std::int64_t reduced)
    : kind_{phase.kind}, left_{messages}, window_{window}, cycle_{window + reduced} {}

void AstraExchange::start(Host& host) {
    for (std::int64_t i = 0; i < window_; ++i) make_ready(host);
}

void AstraExchange::received(Host& host) {
    ++received_;
    make_ready(host);
}

void AstraExchange::ready(Host& host) {
    count_ready();
    send_one(host);
    finish_if_done(host);
}

void AstraExchange::make_ready(Host& host) {
    const Message message = next();
    const std::int64_t place = made_ % cycle_;
    const bool after_window = place >= window_;
    const bool first_cycle_only = made_ / cycle_ % 2 == 0;
    ++made_;
    waiting_.push_back(message);
    const bool reduces =
        kind_ == CollectiveKind::reduce_scatter || (kind_ == CollectiveKind::all_reduce && first_cycle_only);
    using Way = AstraBundle::Way;
    host.prepare({.way = after_window ? Way::from_network : Way::to_network,
                  .bytes = message.bytes,
                  .reduced = after_window && reduces,
                  .sent_back = after_window && cycle_ - place > window_});
}

bool AstraExchange::send_one(Host& host) {
    if (waiting_.empty() || left_ == 0 || free_ == 0) return false;
    const Message message = waiting_.front();
    waiting_.pop_front();
    --left_;
    --free_;
    host.send(message.to, message.bytes);
    host.receive(message.from, message.bytes);
    return true;
}

void AstraExchange::finish_if_done(Host& host) {
    if (left_ == 0 && free_ == window_) host.finish();
}

AstraRing::AstraRing(const AstraPhase& phase, std::int64_t index)
    : AstraExchange{phase, ring_messages(phase), 1, phase.nodes - 1}, message_{} {
    const auto [to, from] = neighbours(index, phase.nodes, 1, phase.direction);
    message_ = {to, from, message_bytes(phase)};
}

AstraHalvingDoubling::AstraHalvingDoubling(const AstraPhase& phase, std::int64_t index)
    : AstraExchange{phase, HalvingDoublingMessages{phase}.count(), 1,
                    HalvingDoublingMessages{phase}.levels() - 1},
      index_{index},
      messages_{phase} {}

AstraExchange::Message AstraHalvingDoubling::next() {
    const std::int64_t partner = messages_.partner(index_);
    const Message message{partner, partner, messages_.bytes()};
    messages_.advance();
    return message;
}

AstraDirect::AstraDirect(const AstraPhase& phase, std::int64_t index)
    : AstraExchange{phase, (phase.kind == CollectiveKind::all_reduce ? 2 : 1) * (phase.nodes - 1),
                    window_of(phase), direct_reduced(phase)},
      all_reduce_{phase.kind == CollectiveKind::all_reduce},
      index_{index},
      nodes_{phase.nodes},
      direction_{phase.direction},
      bytes_{message_bytes(phase)} {}

AstraExchange::Message AstraDirect::next() {
    const auto [to, from] = neighbours(index_, nodes_, distance_, direction_);
    const Message message{to, from, bytes_};
    distance_ = distance_ % (nodes_ - 1) + 1;
    return message;
}

bool AstraDirect::is_gathering() const {
    return all_reduce_ && left() <= nodes_ - 1;
}

void AstraDirect::ready(Host& host) {
    if (!is_gathering()) {
        AstraExchange::ready(host);
        return;
    }
    count_ready();
    // Results are sent only once all contributions have arrived.
    if (count_received() < nodes_ - 1) return;
    for (std::int64_t i = 0; i < window(); ++i) send_one(host);
    finish_if_done(host);
}

}  // namespace dse::netsim
