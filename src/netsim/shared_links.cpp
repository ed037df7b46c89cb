#include "dse/netsim/shared_links.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"
#include "netsim/flow/levels.hpp"
#include "netsim/flow/library_job.hpp"

namespace dse::netsim {

SharedLinks::SharedLinks(const hardware::NetworkSpec& network, std::int64_t devices)
    : network_{network},
      devices_{devices},
      fabric_{flow::build_fabric(network, devices)},
      traffic_{fabric_, network_.topology},
      message_{flow::plan_message()} {}

const flow::CollectivePlan& SharedLinks::plan_of(graph::CollectiveKind kind, const Group& members) {
    std::pair key{kind, members};
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    const std::vector<flow::Level> levels = flow::levels_of(network_, devices_, members);
    return plans_.emplace(std::move(key), flow::plan_collective(kind, levels)).first->second;
}

SharedLinks::Number SharedLinks::begin(graph::CollectiveKind kind, Bytes size,
                                       std::span<const std::int64_t> members) {
    DSE_EXPECT(members.size() >= 2);
    Group group{members.begin(), members.end()};
    std::ranges::sort(group);
    const hardware::CollectiveSpec& library = network_.collective;
    return traffic_.start(flow::library_job(library, plan_of(kind, group), size, library.launch), group);
}

SharedLinks::Number SharedLinks::begin(Bytes size, std::int64_t from, std::int64_t to) {
    const hardware::CollectiveSpec& library = network_.collective;
    return traffic_.start(flow::library_job(library, message_, size, library.message_launch),
                          std::array{from, to});
}

}  // namespace dse::netsim
