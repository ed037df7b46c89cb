#pragma once

#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Efficiency by operator class, as a share of the limiting rate: the sustained matmul rate for `gemm`, the
/// sustained memory bandwidth for all others. With the default 1 the model is a roofline.
struct EfficiencySpec {
    double gemm{1.0};
    double elementwise{1.0};
    double normalization{1.0};
    double softmax{1.0};
    double embedding{1.0};
    double cross_entropy{1.0};
    double optimizer{1.0};
};

Problems problems_of(const EfficiencySpec& efficiency);

template <class Visitor>
void describe(Visitor& v, EfficiencySpec& efficiency) {
    v.optional("gemm", efficiency.gemm, config::fraction,
               "share of the sustained matmul rate in long runs (clock, power cap)");
    v.optional("elementwise", efficiency.elementwise, config::fraction,
               "share of the sustained memory bandwidth");
    v.optional("normalization", efficiency.normalization, config::fraction,
               "share of the sustained memory bandwidth");
    v.optional("softmax", efficiency.softmax, config::fraction, "share of the sustained memory bandwidth");
    v.optional("embedding", efficiency.embedding, config::fraction,
               "share of the sustained memory bandwidth");
    v.optional("cross_entropy", efficiency.cross_entropy, config::fraction,
               "share of the sustained memory bandwidth");
    v.optional("optimizer", efficiency.optimizer, config::fraction,
               "share of the sustained memory bandwidth");
    check_after_reading(v, efficiency);
}

}  // namespace dse::hardware
