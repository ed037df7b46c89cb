#include "dist/candidate_filter.hpp"

#include <algorithm>

namespace dse::dist {
namespace {

/// What a front loses by forgetting some candidates is a figure on a progress line; what it would cost to
/// send thousands at once is throughput.
constexpr std::size_t most_at_once = 32;

}  // namespace

CandidateFilter::CandidateFilter(std::vector<metrics::Objective> objectives)
    : objectives_{std::move(objectives)} {
    objectives_.resize(std::min(objectives_.size(), Message::max_costs));
}

void CandidateFilter::look_at(const space::Record& record) {
    if (record.status != space::Status::ok || objectives_.empty()) return;
    std::vector<double> costs = metrics::costs(record.metrics, objectives_);
    if (!front_.admit(costs)) return;
    if (entered_.size() == most_at_once) entered_.erase(entered_.begin());
    entered_.push_back(std::move(costs));
}

std::vector<Message> CandidateFilter::take() {
    std::vector<Message> messages;
    for (const std::vector<double>& costs : entered_) {
        Message& message = messages.emplace_back();
        message.kind = MessageKind::candidate;
        message.range.count = costs.size();
        std::copy(costs.begin(), costs.end(), message.costs.begin());
    }
    entered_.clear();
    return messages;
}

}  // namespace dse::dist
