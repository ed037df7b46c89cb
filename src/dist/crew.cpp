#include "dist/crew.hpp"

#include "dse/base/check.hpp"

namespace dse::dist {

void Crew::count(int rank, int sign) {
    DSE_EXPECT(rank >= 0 && rank < channel_->size());
    Member& member = members_[static_cast<std::size_t>(rank)];
    if (!member.worker) {
        member.worker.emplace();
        ++known_;
        if (sign < 0) return;  // it was not counted yet
    }
    const Leaseholder& worker = *member.worker;
    active_ += worker.active() ? sign : 0;
    lost_ += worker.lost() ? sign : 0;
    holders_ += worker.holds_leases() ? sign : 0;
    if (sign > 0 && worker.wants_lease() && !member.in_turn) {
        member.in_turn = true;
        turns_.push_back(rank);
    }
}

void Crew::expect_all() {
    for (int rank = 0; rank < channel_->size(); ++rank) {
        const bool is_known = members_[static_cast<std::size_t>(rank)].worker.has_value();
        if (rank != channel_->rank() && !is_known) count(rank, 1);
    }
}

void Crew::send(int to, MessageKind kind, const Range& range, std::string body) {
    Message message;
    message.kind = kind;
    message.range = range;
    message.lost = lost();
    message.body = std::move(body);
    channel_->send(to, message);
}

void Crew::tell_all(MessageKind kind) {
    for (int rank = 0; rank < channel_->size(); ++rank) {
        const auto& worker = members_[static_cast<std::size_t>(rank)].worker;
        if (worker && !worker->closed()) send(rank, kind);
    }
}

std::optional<int> Crew::next_without_lease() {
    while (!turns_.empty()) {
        const int rank = turns_.front();
        if (worker(rank).wants_lease()) return rank;
        turns_.pop_front();
        members_[static_cast<std::size_t>(rank)].in_turn = false;
    }
    return std::nullopt;
}

std::vector<int> Crew::silent(Leaseholder::Clock::duration limit) const {
    std::vector<int> ranks;
    for (int rank = 0; rank < channel_->size(); ++rank) {
        const auto& worker = members_[static_cast<std::size_t>(rank)].worker;
        if (worker && worker->active() && worker->silent_for(limit)) ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace dse::dist
