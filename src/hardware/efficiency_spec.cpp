#include "dse/hardware/efficiency_spec.hpp"

namespace dse::hardware {

Problems problems_of(const EfficiencySpec& efficiency) {
    Problems problems;
    problems.fraction("gemm", efficiency.gemm, "a share of the sustained matmul rate");
    constexpr const char* of_memory = "a share of the sustained memory bandwidth";
    problems.fraction("elementwise", efficiency.elementwise, of_memory);
    problems.fraction("normalization", efficiency.normalization, of_memory);
    problems.fraction("softmax", efficiency.softmax, of_memory);
    problems.fraction("embedding", efficiency.embedding, of_memory);
    problems.fraction("cross_entropy", efficiency.cross_entropy, of_memory);
    problems.fraction("optimizer", efficiency.optimizer, of_memory);
    return problems;
}

}  // namespace dse::hardware
