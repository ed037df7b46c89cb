#include "dist/crew.hpp"

#include <algorithm>

namespace dse::dist {

void Crew::expect_all() {
    for (int rank = 0; rank < channel_->size(); ++rank) {
        if (rank != channel_->rank()) workers_[rank];
    }
}

void Crew::send(int to, MessageKind kind, const Range& range) {
    Message message;
    message.kind = kind;
    message.range = range;
    message.lost = lost();
    channel_->send(to, message);
}

void Crew::tell_all(MessageKind kind) {
    for (const auto& [rank, worker] : workers_) {
        if (!worker.closed()) send(rank, kind);
    }
}

int Crew::active() const {
    return static_cast<int>(std::count_if(workers_.begin(), workers_.end(),
                                          [](const auto& entry) { return entry.second.active(); }));
}

int Crew::lost() const {
    return static_cast<int>(std::count_if(workers_.begin(), workers_.end(),
                                          [](const auto& entry) { return entry.second.lost(); }));
}

bool Crew::holds_leases() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const auto& entry) { return entry.second.holds_leases(); });
}

}  // namespace dse::dist
