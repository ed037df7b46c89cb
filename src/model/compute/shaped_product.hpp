#pragma once

#include "dse/graph/work.hpp"

namespace dse::model {

/// Whether a kernel is a matrix product whose sizes are stated.
inline bool is_shaped_product(const graph::Compute& work) {
    const graph::GemmShape& shape = work.gemm;
    return work.op_class == graph::OpClass::gemm && shape.batch * shape.m * shape.n * shape.k > 0.0;
}

}  // namespace dse::model
