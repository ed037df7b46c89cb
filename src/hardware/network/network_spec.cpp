#include "dse/hardware/network/network_spec.hpp"

namespace dse::hardware {

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
    return problems;
}

}  // namespace dse::hardware
