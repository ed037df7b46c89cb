#include "dist/candidate_filter.hpp"

#include <utility>

#include "dist/wire.hpp"

namespace dse::dist {
namespace {

/// Dropping some candidates only affects the front size on a progress line; sending thousands at once would
/// cost throughput.
constexpr std::size_t most_at_once = 32;

}  // namespace

CandidateFilter::CandidateFilter(space::Goals goals) : goals_{std::move(goals)} {}

void CandidateFilter::look_at(const space::Record& record) {
    if (record.status != space::Status::ok || goals_.empty()) return;
    std::vector<double> costs = goals_.costs(record);
    if (!front_.admit(costs)) return;
    if (entered_.size() == most_at_once) entered_.erase(entered_.begin());
    entered_.push_back(std::move(costs));
}

std::optional<Message> CandidateFilter::take() {
    if (entered_.empty()) return std::nullopt;
    Message message;
    message.kind = MessageKind::candidates;
    message.range.count = goals_.size();
    for (const std::vector<double>& costs : entered_) append(message.body, costs);
    entered_.clear();
    return message;
}

}  // namespace dse::dist
