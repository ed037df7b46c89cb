#include "dse/hardware/cluster_spec.hpp"

namespace dse::hardware {

Problems problems_of(const ClusterSpec& cluster) {
    Problems problems;
    problems.nest("device", problems_of(cluster.device));
    problems.at_least("devices_per_node", static_cast<double>(cluster.devices_per_node), 1,
                      "a node holds at least one device");
    problems.nest("network", problems_of(cluster.network));
    problems.nest("host", problems_of(cluster.host));
    problems.nest("facility", problems_of(cluster.facility));
    return problems;
}

}  // namespace dse::hardware
