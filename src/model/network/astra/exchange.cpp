#include "model/network/astra/exchange.hpp"

#include <algorithm>

namespace dse::model {
namespace {

using workload::CollectiveKind;

std::int64_t window_of(const AstraPhase& phase) {
    const std::int64_t others = phase.nodes - 1;
    const std::int64_t window = phase.algorithm.window;
    return window == 0 ? others : std::min(window, others);
}

/// Of a cycle of direct messages, those whose contents are added. Within a group a cycle is so long that it
/// charges for adding final results as well.
std::int64_t direct_reduced(const AstraPhase& phase) {
    return phase.of_group ? (phase.nodes - 1) * window_of(phase) : window_of(phase);
}

}  // namespace

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
    const bool after_window = made_ % cycle_ >= window_;
    const bool first_cycle_only = made_ / cycle_ % 2 == 0;
    ++made_;
    waiting_.push_back(message);
    const bool reduces =
        kind_ == CollectiveKind::reduce_scatter || (kind_ == CollectiveKind::all_reduce && first_cycle_only);
    if (after_window && reduces) {
        host.prepare_reduced(message.bytes);
    } else {
        host.prepare();
    }
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
    : AstraExchange{phase, ring_messages(phase), 1, phase.nodes - 1},
      message_{(index + 1) % phase.nodes, (index + phase.nodes - 1) % phase.nodes, message_bytes(phase)} {}

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
      bytes_{message_bytes(phase)} {}

AstraExchange::Message AstraDirect::next() {
    const Message message{(index_ + distance_) % nodes_, (index_ + nodes_ - distance_) % nodes_, bytes_};
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
    // Results go out only once all contributions are there.
    if (count_received() < nodes_ - 1) return;
    for (std::int64_t i = 0; i < window(); ++i) send_one(host);
    finish_if_done(host);
}

}  // namespace dse::model
