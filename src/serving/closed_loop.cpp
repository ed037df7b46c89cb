#include "dse/serving/closed_loop.hpp"

#include "dse/base/check.hpp"

namespace dse::serving {

ClosedLoop::ClosedLoop(const Requests& requests, std::size_t first, std::size_t stride)
    : requests_{requests} {
    DSE_EXPECT(stride > 0);
    const std::size_t all = requests.all.size();
    if (!has_conversations()) {
        count_ = count_of_every(stride, first, all);
        return;
    }
    std::size_t conversations = 0;
    bool is_theirs = false;
    for (std::size_t i = 0; i < all; ++i) {
        if (!requests.continues(i)) {
            is_theirs = conversations % stride == first;
            ++conversations;
            if (is_theirs) openings_.push_back(i);
        }
        count_ += is_theirs ? 1 : 0;
    }
}

std::optional<ClosedLoop::Next> ClosedLoop::after(std::optional<std::size_t> place) {
    if (!has_conversations()) return Next{};
    if (place && requests_.continues(*place + 1)) return Next{*place + 1, requests_.pauses[*place + 1]};
    if (begun_ == openings_.size()) return std::nullopt;
    return Next{openings_[begun_++], 0};
}

}  // namespace dse::serving
