#include "dse/hardware/device/matmul_spec.hpp"

namespace dse::hardware {

Problems problems_of(const MatmulSpec& matmul) {
    Problems problems = out_of_range(matmul);
    problems.nest("sustained", problems_of(matmul.sustained));
    problems.expect(
        matmul.sharpness == 0.0 || matmul.sharpness >= 1.0, "sharpness",
        "neither 0 nor at least 1 (below 1 the time would exceed compute and memory time together)");
    return problems;
}

}  // namespace dse::hardware
