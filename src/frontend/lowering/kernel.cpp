#include "frontend/lowering/kernel.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/ir/program/cost/fusion_traffic.hpp"
#include "dse/ir/program/cost/kernel_shapes.hpp"
#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "dse/ir/program/views.hpp"
#include "frontend/lowering/gemm_shape.hpp"
#include "host_memory.hpp"

namespace dse::frontend {
namespace {

using graph::Compute;
using graph::OpClass;
using graph::Precision;
using ir::KernelKind;
using ir::NumberKind;
using ir::Opcode;
using ir::OpcodeClass;
using ir::Operation;
using ir::Program;

bool is_index(const Program& program, ir::ValueId value) {
    const ir::Type& type = program.types[program.type_of(value)];
    const NumberKind kind = ir::number_kind(type.element);
    return type.kind == ir::Type::Kind::array && type.sizes.empty() &&
           (kind == NumberKind::integer || kind == NumberKind::boolean);
}

/// Whether it computes loop counters, offsets or comparisons of them, which other kernels or the host do.
bool computes_index(const Program& program, const Operation& operation) {
    if (operation.results.count == 0) return false;
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        if (!is_index(program, Program::result(operation, i))) return false;
    }
    const auto operands = program.operands(operation);
    return std::all_of(operands.begin(), operands.end(),
                       [&](ir::ValueId operand) { return is_index(program, operand); });
}

OpClass class_of_kernel(Opcode opcode) {
    const ir::OpcodeTraits& known = ir::traits(opcode);
    switch (known.kernel) {
        case KernelKind::attention:
            return OpClass::attention;
        case KernelKind::softmax:
            return OpClass::softmax;
        case KernelKind::normalization:
            return OpClass::normalization;
        case KernelKind::embedding:
            return OpClass::embedding;
        case KernelKind::loss:
            return OpClass::loss;
        case KernelKind::optimizer:
            return OpClass::optimizer;
        case KernelKind::by_family:
            break;
    }
    return known.family == OpcodeClass::contraction ? OpClass::gemm : OpClass::elementwise;
}

/// Class of a fused kernel, derived from its operations.
OpClass class_of_fusion(const Program& program, const Operation& fusion) {
    bool reduces = false;
    bool has_exponential = false;
    OpClass found = OpClass::elementwise;
    for (const ir::ComputationId id : program.called(fusion)) {
        for (const Operation& inner : program[id].operations) {
            const OpClass inner_class = class_of_kernel(inner.opcode);
            if (inner_class == OpClass::gemm || inner_class == OpClass::attention) return inner_class;
            if (inner_class != OpClass::elementwise) found = inner_class;
            reduces = reduces || inner.opcode == Opcode::reduce;
            has_exponential = has_exponential || inner.opcode == Opcode::exponential;
        }
    }
    if (found != OpClass::elementwise || !reduces) return found;
    return has_exponential ? OpClass::softmax : OpClass::normalization;
}

/// Class of a foreign call, derived from its target and its FLOPs.
OpClass class_of_foreign(const Program& program, const Operation& operation, const ir::Cost& cost) {
    const std::string_view target = ir::foreign_name(program, operation);
    const auto has = [&](std::string_view part) { return target.find(part) != std::string_view::npos; };
    if (has("attn") || has("attention") || has("fmha")) return OpClass::attention;
    if (has("Softmax")) return OpClass::softmax;
    if (has("Norm")) return OpClass::normalization;
    return cost.foreign_flops > 0 ? OpClass::gemm : OpClass::elementwise;
}

/// All operands and results: the traffic of a framework's own loop, a composite without a body, and similar
/// operations.
ir::Traffic whole_traffic(const Program& program, const Operation& operation) {
    ir::Traffic traffic{ir::operand_bytes(program, operation), 0.0};
    for (std::size_t i = 0; i < operation.results.count; ++i)
        traffic.written += program.types.bytes(program.type_of(Program::result(operation, i)));
    return traffic;
}

}  // namespace

DeviceWork device_work(const Program& program, const Operation& operation) {
    switch (ir::opcode_class(operation.opcode)) {
        case OpcodeClass::communication:
            return DeviceWork::communication;
        case OpcodeClass::control:
            return operation.opcode == Opcode::fusion ? DeviceWork::kernel : DeviceWork::control;
        case OpcodeClass::bookkeeping:
            return DeviceWork::nothing;
        default:
            break;
    }
    if (crosses_to_host(program, operation)) return DeviceWork::copy;
    if (operation.opcode == Opcode::copy_done) return DeviceWork::nothing;
    if (computes_index(program, operation)) return DeviceWork::nothing;
    return ir::is_view(program, operation) ? DeviceWork::nothing : DeviceWork::kernel;
}

KernelCosts::KernelCosts(const Program& program, const ir::ForeignCosts& foreign,
                         graph::Fp32Products fp32_products)
    : program_{program},
      foreign_{foreign},
      precisions_{program, fp32_products},
      costs_{program, foreign, ir::LoopCounting::by_trip_count} {}

bool KernelCosts::is_known(const Operation& operation) const {
    return ir::opcode_class(operation.opcode) != OpcodeClass::foreign ||
           foreign_.cost(program_, operation).has_value();
}

bool KernelCosts::is_nothing(const Operation& operation) const {
    if (ir::opcode_class(operation.opcode) != OpcodeClass::foreign) return false;
    const auto cost = foreign_.cost(program_, operation);
    return cost && cost->foreign_flops == 0.0 && cost->foreign_bytes == 0.0;
}

/// Sets the shape and the precision of a matrix product.
void KernelCosts::take_shape(const Operation& operation, Compute& compute) const {
    const bool contracts = ir::opcode_class(operation.opcode) == OpcodeClass::contraction;
    if (contracts && operation.operands.count > 0) compute.precision = precisions_.of_product(operation);
    if (const auto shape = gemm_shape(program_, operation)) compute.gemm = *shape;
}

/// Sets the shape of the score product of fused attention.
void KernelCosts::take_attention_shape(const Operation& operation, Compute& compute) const {
    const auto shape = ir::attention_shape(program_, operation);
    if (!shape) return;
    compute.gemm = {shape->batch * shape->heads, shape->queries, shape->keys, shape->head_size};
    const auto operands = program_.operands(operation);
    if (!operands.empty())
        compute.precision = precision_of(program_.types[program_.type_of(operands.front())].element);
}

void KernelCosts::take_foreign_shape(const Operation& operation, const ir::Cost& cost,
                                     Compute& compute) const {
    compute.op_class = class_of_foreign(program_, operation, cost);
    if (compute.op_class == OpClass::attention) return take_attention_shape(operation, compute);
    if (compute.op_class != OpClass::gemm || operation.operands.count == 0) return;
    const auto shape = ir::product_shape(program_, operation);
    const auto* call = program_.attribute_if<ir::ForeignCall>(operation);
    const bool is_convolution = call != nullptr && call->convolution.has_value();
    // Operands of other calls, such as Fourier transforms, are not rounded.
    const ir::ValueId operand = program_.operands(operation).front();
    compute.precision = shape || is_convolution
                            ? precisions_.of_product(operation)
                            : precision_of(program_.types[program_.type_of(operand)].element);
    if (shape) compute.gemm = {shape->batch, shape->m, shape->n, shape->k};
}

void KernelCosts::add_traffic(const Operation& operation, const ir::Cost& cost, Compute& compute) const {
    ir::Traffic traffic;
    if (operation.opcode == Opcode::fusion) {
        traffic = ir::fusion_traffic(program_, operation);
    } else if (!is_known(operation) || ir::opcode_class(operation.opcode) == OpcodeClass::control) {
        traffic = whole_traffic(program_, operation);
    } else if (ir::opcode_class(operation.opcode) == OpcodeClass::foreign) {
        traffic.read = cost.foreign_bytes;
    } else {
        traffic = ir::operation_traffic(program_, operation);
    }
    compute.read = Bytes{traffic.read};
    compute.written = Bytes{traffic.written};
}

Compute KernelCosts::kernel(const Operation& operation) {
    Compute compute;
    const ir::Cost cost = costs_.operation(operation);
    compute.precision = Precision::fp32;
    if (operation.results.count > 0)
        compute.precision =
            precision_of(program_.types[program_.type_of(Program::result(operation))].element);
    if (operation.opcode == Opcode::fusion) {
        compute.op_class = class_of_fusion(program_, operation);
        for (const ir::ComputationId id : program_.called(operation)) {
            for (const Operation& inner : program_[id].operations) take_shape(inner, compute);
        }
    } else if (ir::opcode_class(operation.opcode) == OpcodeClass::foreign) {
        take_foreign_shape(operation, cost, compute);
    } else {
        compute.op_class = class_of_kernel(operation.opcode);
        take_shape(operation, compute);
        if (compute.op_class == OpClass::attention) take_attention_shape(operation, compute);
    }
    compute.executed_flop = Flop{cost.executed()};
    compute.model_flop = compute.executed_flop - Flop{cost.surplus};
    add_traffic(operation, cost, compute);
    return compute;
}

}  // namespace dse::frontend
