#include "app/form_kernel.hpp"

#include <functional>
#include <numeric>

#include "dse/model/compute/rates.hpp"

namespace dse::app {
namespace {

using graph::Precision;
using model::Kernel;
using model::KernelKind;
using model::OperandFormat;

/// Nothing if activations and weights have different formats.
std::optional<Precision> precision_of(OperandFormat format) {
    switch (format) {
        case OperandFormat::bf16:
            return Precision::bf16;
        case OperandFormat::fp8:
        case OperandFormat::fp8_block:
            return Precision::fp8;
        case OperandFormat::nvfp4:
            return Precision::fp4;
        case OperandFormat::int8:
            return Precision::int8;
        default:
            return std::nullopt;
    }
}

constexpr double wide_bytes = 2.0;

graph::Compute product_of(const Kernel& kernel, Precision precision) {
    graph::Compute work;
    work.op_class = graph::OpClass::gemm;
    work.precision = precision;
    work.gemm = {1.0, kernel.m, kernel.n, kernel.k};
    work.executed_flop = Flop{2.0 * kernel.m * kernel.n * kernel.k};
    work.read = graph::bytes_of(precision) * (kernel.k * (kernel.m + kernel.n));
    work.written = Bytes{wide_bytes * kernel.m * kernel.n};
    return work;
}

/// Causal attention of the last `queries` tokens to `keys` tokens.
graph::Compute attention_of(const Kernel& kernel, Precision precision) {
    graph::Compute work;
    work.op_class = graph::OpClass::attention;
    work.precision = precision;
    work.gemm = {kernel.batch * kernel.heads, kernel.queries, kernel.keys, kernel.head_dim};
    const double pairs = kernel.queries * (kernel.keys - 0.5 * (kernel.queries - 1.0));
    work.executed_flop = Flop{4.0 * kernel.batch * kernel.heads * pairs * kernel.head_dim};
    const double queries = kernel.batch * kernel.queries * kernel.heads * kernel.head_dim;
    const double cache = 2.0 * kernel.batch * kernel.keys * kernel.kv_heads * kernel.head_dim;
    work.read = Bytes{wide_bytes * queries + (kernel.narrow_cache ? 1.0 : wide_bytes) * cache};
    work.written = Bytes{wide_bytes * queries};
    return work;
}

}  // namespace

std::optional<Seconds> FormKernels::time(const Kernel& kernel) const {
    auto precision = precision_of(kernel.format);
    // Formats of 16 bits are bf16 here; older devices have fp16 alone.
    if (precision == Precision::bf16 &&
        !(model::reference_rate(device_.peak, Precision::bf16) > FlopPerSecond{}))
        precision = Precision::fp16;
    if (!precision || !(model::reference_rate(device_.peak, *precision) > FlopPerSecond{}))
        return std::nullopt;
    if (kernel.kind == KernelKind::gemm) return roofline_.time(product_of(kernel, *precision));
    const bool attends = kernel.kind == KernelKind::prefill || kernel.kind == KernelKind::decode;
    if (!attends || kernel.window > 0.0) return std::nullopt;
    return roofline_.time(attention_of(kernel, *precision));
}

Seconds FormKernels::time(const VectorKernel& kernel) const {
    const double elements =
        std::accumulate(kernel.shape.begin(), kernel.shape.end(), 1.0, std::multiplies<double>{});
    graph::Compute work;
    work.op_class = graph::OpClass::elementwise;
    work.executed_flop = Flop{elements};
    work.read = Bytes{wide_bytes * elements * kernel.operands};
    work.written = Bytes{wide_bytes * elements};
    return roofline_.time(work);
}

}  // namespace dse::app
