#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace dse::conformance {

/// "30812x8;40x2" as one number a rank.
inline std::vector<std::int64_t> rank_runs(const std::string& runs) {
    std::vector<std::int64_t> ticks;
    std::size_t at = 0;
    while (at < runs.size()) {
        const std::size_t end = std::min(runs.find_first_of("; ", at), runs.size());
        const std::string run = runs.substr(at, end - at);
        const std::size_t times = run.find('x');
        const std::size_t count = times == std::string::npos ? 1 : std::stoul(run.substr(times + 1));
        ticks.insert(ticks.end(), count, std::stoll(run.substr(0, times)));
        at = end + 1;
    }
    return ticks;
}

}  // namespace dse::conformance
