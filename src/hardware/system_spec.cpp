#include "dse/hardware/system_spec.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::hardware {

Problems problems_of(const SystemSpec& system) {
    Problems problems;
    problems.nest("cluster", problems_of(system.cluster));
    problems.at_least("devices", static_cast<double>(system.devices), 1, "a job needs a device");
    const StragglerSpec& slow = system.stragglers;
    problems.nest("stragglers", problems_of(slow));
    const bool are_inside = slow.number <= system.devices &&
                            slow.first_rank + (slow.number - 1) * slow.rank_stride < system.devices;
    problems.expect(slow.number == 0 || are_inside, "stragglers",
                    "the last one's rank is beyond the devices of the job");
    return problems;
}

void validate(const SystemSpec& system) {
    const Problems problems = problems_of(system);
    if (!problems.empty()) throw ModelError(fmt::format("impossible system: {}", problems.text()));
}

}  // namespace dse::hardware
