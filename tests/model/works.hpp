#pragma once

#include "dse/workload/work.hpp"

namespace dse::model {

/// batch × (m × k)(k × n) with every operand moved once.
inline workload::Compute matmul(double batch, double m, double n, double k,
                                workload::Precision precision = workload::Precision::bf16) {
    workload::Compute work;
    work.op_class = workload::OpClass::gemm;
    work.precision = precision;
    work.gemm = {batch, m, n, k};
    work.model_flop = Flop{2.0 * batch * m * n * k};
    work.executed_flop = work.model_flop;
    work.read = workload::bytes_of(precision) * (batch * k * (m + n));
    work.written = workload::bytes_of(precision) * (batch * m * n);
    return work;
}

/// An operator that only moves data.
inline workload::Compute streaming(workload::OpClass op_class, double read, double written,
                                   double kernels = 1.0) {
    workload::Compute work;
    work.op_class = op_class;
    work.read = Bytes{read};
    work.written = Bytes{written};
    work.kernels = kernels;
    return work;
}

}  // namespace dse::model
