#include "app/common_reasons.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace dse::app {

std::vector<CommonReason> common_reasons(const results::Table& table,
                                         const std::function<bool(space::Status)>& counts) {
    std::map<std::pair<space::Status, std::string>, CommonReason> by_start;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        if (!counts(table.status[i])) continue;
        const std::string& reason = table.reason[i];
        CommonReason& common =
            by_start[{table.status[i], reason.substr(0, reason.find_first_of("0123456789"))}];
        if (common.rows++ == 0) common.example = reason;
    }
    std::vector<CommonReason> ordered;
    for (auto& [start, common] : by_start) ordered.push_back(std::move(common));
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const CommonReason& a, const CommonReason& b) { return a.rows > b.rows; });
    return ordered;
}

}  // namespace dse::app
