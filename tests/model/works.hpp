#pragma once

#include "dse/graph/work.hpp"

namespace dse::model {

/// batch × (m × k)(k × n) with every operand moved once.
inline graph::Compute matmul(double batch, double m, double n, double k,
                             graph::Precision precision = graph::Precision::bf16) {
    graph::Compute work;
    work.op_class = graph::OpClass::gemm;
    work.precision = precision;
    work.gemm = {batch, m, n, k};
    work.model_flop = Flop{2.0 * batch * m * n * k};
    work.executed_flop = work.model_flop;
    work.read = graph::bytes_of(precision) * (batch * k * (m + n));
    work.written = graph::bytes_of(precision) * (batch * m * n);
    return work;
}

/// An operator that only moves data.
inline graph::Compute streaming(graph::OpClass op_class, double read, double written, double kernels = 1.0) {
    graph::Compute work;
    work.op_class = op_class;
    work.read = Bytes{read};
    work.written = Bytes{written};
    work.kernels = kernels;
    return work;
}

}  // namespace dse::model
