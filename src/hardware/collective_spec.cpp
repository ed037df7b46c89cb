#include "dse/hardware/collective_spec.hpp"

namespace dse::hardware {

Problems problems_of(const CollectiveSpec& collective) {
    Problems problems;
    problems.not_negative("launch", collective.launch, "a time");
    problems.not_negative("message_launch", collective.message_launch, "a time");
    problems.positive("sharpness", collective.sharpness, "an exponent; 1 adds latency and transfer time");
    problems.share("phase_overlap", collective.phase_overlap, "a share of the shorter phase");
    return problems;
}

}  // namespace dse::hardware
