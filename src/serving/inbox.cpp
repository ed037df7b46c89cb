#include "dse/serving/inbox.hpp"

namespace dse::serving {

Inbox::Inbox(const graph::ServingEngine& engine, const Share& share) : share_{share}, front_end_{engine} {
    if (share.clients > 0) clients_.emplace(share.requests, share.first, share.stride);
}

void Inbox::open() {
    for (std::int64_t i = 0; i < share_.clients && sent_ < count(); ++i) send_next(0, std::nullopt);
    if (clients_ || share_.routed != nullptr) return;
    sent_ = count();
    expect_next();
}

void Inbox::take_up() {
    sent_ = count();
    if (ready_ == never || front_end_.accepts_together()) expect_next();
}

void Inbox::answered(std::size_t number, Ticks free) {
    if (share_.routed != nullptr) share_.routed->answered(number);
    if (clients_) send_next(free, place_of(number));
}

std::size_t Inbox::receive() {
    front_end_.passed(request(received_), ready_);
    const std::size_t number = received_++;
    expect_next();
    return number;
}

std::size_t Inbox::count() const {
    if (share_.routed != nullptr) return share_.routed->size();
    if (clients_) return clients_->count();
    return count_of_every(share_.stride, share_.first, share_.requests.all.size());
}

Request& Inbox::request(std::size_t number) const {
    if (share_.routed != nullptr) return share_.routed->request(number);
    return share_.requests.all[place_of(number)];
}

std::size_t Inbox::place_of(std::size_t number) const {
    if (share_.routed != nullptr) return share_.routed->place(number);
    const bool is_chosen = clients_ && clients_->has_conversations();
    return is_chosen ? order_[number] : share_.first + number * share_.stride;
}

/// A client is free from this time on. It sends its next request before others of whom it is known already
/// that they will be free later: their last token is on its way.
/// \param answered  index of its last request; nothing: it has sent none
void Inbox::send_next(Ticks time, std::optional<std::size_t> answered) {
    const auto next = clients_->after(answered);
    if (!next) return;
    const Ticks arrival = end_of(time, next->pause);
    if (next->place) {
        share_.requests.all[*next->place].arrival = arrival;
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place_in_line(arrival)), *next->place);
        ++sent_;
    } else {
        // The requests of those who are free later come one later. If none is left, it sends the one that the
        // last of them would have sent.
        const std::size_t number = place_in_line(arrival);
        if (sent_ < count()) ++sent_;
        for (std::size_t later = sent_; later-- > number + 1;)
            request(later).arrival = request(later - 1).arrival;
        if (number < sent_) request(number).arrival = arrival;
    }
    expect_next();
}

/// Number of a request that arrives then, among those that have been sent and not been received.
std::size_t Inbox::place_in_line(Ticks arrival) const {
    std::size_t number = sent_;
    while (number > received_ && request(number - 1).arrival > arrival) --number;
    return number;
}

void Inbox::expect_next() {
    ready_ = received_ == sent_
                 ? never
                 : front_end_.ready(received_, sent_,
                                    [&](std::size_t number) -> const Request& { return request(number); });
}

}  // namespace dse::serving
