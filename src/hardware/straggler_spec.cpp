#include "dse/hardware/straggler_spec.hpp"

namespace dse::hardware {

Problems problems_of(const StragglerSpec& stragglers) {
    Problems problems;
    problems.at_least("number", static_cast<double>(stragglers.number), 0, "0: all devices are equal");
    problems.at_least("first_rank", static_cast<double>(stragglers.first_rank), 0, "ranks count from 0");
    problems.at_least("rank_stride", static_cast<double>(stragglers.rank_stride), 1,
                      "two of them are two ranks");
    problems.positive("slowdown", stragglers.slowdown, "a time over a time; 1: no slower");
    return problems;
}

}  // namespace dse::hardware
