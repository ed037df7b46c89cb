#include "dse/hardware/system_spec.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::hardware {

namespace {

/// Checks that all ranks of the device classes exist in this job, and that no rank is in two classes.
void check_ranks(const SystemSpec& system, Problems& problems) {
    std::vector<bool> taken(static_cast<std::size_t>(system.device_classes.empty() ? 0 : system.devices));
    for (std::size_t i = 0; i < system.device_classes.size(); ++i) {
        const RankSet& ranks = system.device_classes[i].ranks;
        const std::string key = fmt::format("device_classes.{}", i);
        if (!ranks.lies_inside(system.devices)) {
            problems.expect(false, key.c_str(), "its last rank is beyond the devices of the job");
            continue;
        }
        bool is_first = true;
        for (std::int64_t n = 0; n < ranks.number; ++n) {
            const auto rank = static_cast<std::size_t>(ranks.first_rank + n * ranks.rank_stride);
            is_first = is_first && !taken[rank];
            taken[rank] = true;
        }
        problems.expect(is_first, key.c_str(), "a rank of it has a device of another class already");
    }
}

}  // namespace

Problems problems_of(const SystemSpec& system) {
    Problems problems = out_of_range(system);
    problems.nest("cluster", problems_of(system.cluster));
    const StragglerSpec& slow = system.stragglers;
    problems.nest("stragglers", problems_of(slow));
    problems.expect(slow.ranks.lies_inside(system.devices), "stragglers",
                    "the last one's rank is beyond the devices of the job");
    for (std::size_t i = 0; i < system.device_classes.size(); ++i)
        problems.nest(fmt::format("device_classes.{}", i), problems_of(system.device_classes[i]));
    problems.nest("pools", problems_of(system.pools));
    problems.expect(
        !system.pools.exist() || system.pools.prefill.devices + system.pools.decode.devices == system.devices,
        "pools", "their devices are not those of the system");
    if (problems.empty()) check_ranks(system, problems);
    return problems;
}

void validate(const SystemSpec& system) {
    const Problems problems = problems_of(system);
    if (!problems.empty()) throw ModelError(fmt::format("impossible system: {}", problems.text()));
}

}  // namespace dse::hardware
