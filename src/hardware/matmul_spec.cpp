#include "dse/hardware/matmul_spec.hpp"

namespace dse::hardware {

Problems problems_of(const MatmulSpec& matmul) {
    Problems problems;
    problems.nest("sustained", problems_of(matmul.sustained));
    problems.fraction("in_training", matmul.in_training, "a share of the sustained rate");
    problems.not_negative("area", matmul.area, "output elements");
    problems.not_negative("depth", matmul.depth, "length of the inner dimension");
    problems.expect(
        matmul.sharpness == 0.0 || matmul.sharpness >= 1.0, "sharpness",
        "neither 0 nor at least 1 (below 1 the time would exceed compute and memory time together)");
    problems.fraction("memory_efficiency", matmul.memory_efficiency,
                      "a share of the sustained memory bandwidth");
    problems.positive("narrow_factor", matmul.narrow_factor, "a factor on area and depth");
    return problems;
}

}  // namespace dse::hardware
