#include "app/common_reasons.hpp"

#include <algorithm>

namespace dse::app {

void CommonReasons::add(const results::Table& block) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
        if (block.status[i] == space::Status::ok) continue;
        const std::string& reason = block.reason[i];
        std::pair start{block.status[i], reason.substr(0, reason.find_first_of("0123456789"))};
        if (by_start_.size() >= most_beginnings && !by_start_.contains(start)) continue;
        CommonReason& common = by_start_[std::move(start)];
        if (common.rows++ == 0) common.example = reason;
    }
}

std::vector<CommonReason> CommonReasons::ordered(const std::function<bool(space::Status)>& counts) const {
    std::vector<CommonReason> ordered;
    for (const auto& [start, common] : by_start_) {
        if (counts(start.first)) ordered.push_back(common);
    }
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const CommonReason& a, const CommonReason& b) { return a.rows > b.rows; });
    return ordered;
}

}  // namespace dse::app
