#include "dse/hardware/network/network_spec.hpp"

#include <fmt/format.h>

#include "dse/hardware/network/domain_links.hpp"

namespace dse::hardware {
namespace {

/// What scale_up and the innermost of the dimensions say about the same devices must agree where devices are
/// joined directly: the domain would otherwise have links that no dimension has, or a switch.
void check_domain(const NetworkSpec& network, Problems& problems) {
    if (!DomainLinks{network}.are_direct()) return;
    const std::int64_t joined = network.dimensions[0].size;
    problems.expect(
        joined == 0 || joined == network.scale_up.domain, "scale_up.domain",
        fmt::format(
            "dimensions.0 is fully_connected and joins {} devices, so a domain has as many (set both, "
            "or describe a switch: dimensions.0.kind: switch)",
            joined)
            .c_str());
    problems.expect(network.scale_up.reduction.efficiency == 0.0, "scale_up.reduction_efficiency",
                    "only switches reduce, and dimensions.0 is fully_connected (set 0)");
}

}  // namespace

Problems problems_of(const NetworkSpec& network) {
    Problems problems;
    problems.nest("scale_up", problems_of(network.scale_up));
    problems.nest("scale_out", problems_of(network.scale_out));
    problems.nest("dimensions", problems_of(network.dimensions));
    problems.nest("collective", problems_of(network.collective));
    problems.nest("astra_sim", problems_of(network.astra_sim));
    problems.nest("nccl", problems_of(network.nccl));
    problems.nest("topology", problems_of(network.topology));
    problems.nest("prices", problems_of(network.prices));
    check_domain(network, problems);
    return problems;
}

}  // namespace dse::hardware
