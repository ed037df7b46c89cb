#include "dse/hardware/cluster_spec.hpp"

namespace dse::hardware {

Problems problems_of(const ClusterSpec& cluster) {
    Problems problems = out_of_range(cluster);
    problems.nest("device", problems_of(cluster.device));
    problems.nest("network", problems_of(cluster.network));
    problems.nest("host", problems_of(cluster.host));
    problems.nest("facility", problems_of(cluster.facility));
    return problems;
}

}  // namespace dse::hardware
