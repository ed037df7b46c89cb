#include "dse/hardware/link_spec.hpp"

namespace dse::hardware {

Problems problems_of(const LinkSpec& link) {
    Problems problems;
    problems.positive("bandwidth", link.bandwidth, "a link without bandwidth delivers nothing");
    problems.not_negative("latency", link.latency, "a time");
    problems.fraction("efficiency", link.efficiency, "a share of the line rate");
    return problems;
}

}  // namespace dse::hardware
