#include "dse/hardware/straggler_spec.hpp"

namespace dse::hardware {

Problems problems_of(const StragglerSpec& stragglers) {
    Problems problems = problems_of(stragglers.ranks);
    problems.positive("slowdown", stragglers.slowdown, "a time over a time; 1: no slower");
    return problems;
}

}  // namespace dse::hardware
