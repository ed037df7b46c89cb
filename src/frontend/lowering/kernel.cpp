#include "dse/frontend/lowering/kernel.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "dse/base/check.hpp"
#include "dse/frontend/lowering/gemm_shape.hpp"
#include "dse/ir/cost/fusion_traffic.hpp"
#include "dse/ir/cost/operation_traffic.hpp"
#include "host_memory.hpp"

namespace dse::frontend {
namespace {

using ir::NumberKind;
using ir::Opcode;
using ir::OpcodeClass;
using ir::Operation;
using ir::Program;
using workload::Compute;
using workload::OpClass;
using workload::Precision;

bool is_index(const Program& program, ir::ValueId value) {
    const ir::Type& type = program.types[program.type_of(value)];
    const NumberKind kind = ir::number_kind(type.element);
    return type.kind == ir::Type::Kind::array && type.sizes.empty() &&
           (kind == NumberKind::integer || kind == NumberKind::boolean);
}

/// Loop counters, offsets and what is compared with them: part of other kernels, or the host's business.
bool computes_index(const Program& program, const Operation& operation) {
    if (operation.results.count == 0) return false;
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        if (!is_index(program, Program::result(operation, i))) return false;
    }
    const auto operands = program.operands(operation);
    return std::all_of(operands.begin(), operands.end(),
                       [&](ir::ValueId operand) { return is_index(program, operand); });
}

bool is_view(Opcode opcode) {
    constexpr std::array views{Opcode::reshape,
                               Opcode::dynamic_reshape,
                               Opcode::bitcast,
                               Opcode::view,
                               Opcode::expand,
                               Opcode::bitcast_convert,
                               Opcode::get_dimension_size,
                               Opcode::set_dimension_size};
    return std::find(views.begin(), views.end(), opcode) != views.end();
}

DeviceWork of_movement(const Program& program, const Operation& operation) {
    // Frameworks' arrays have strides: a part or another order of one is a view.
    const bool strided = operation.opcode == Opcode::slice || operation.opcode == Opcode::transpose;
    const bool views = program.language == ir::Language::fx && strided;
    return views || is_view(operation.opcode) ? DeviceWork::nothing : DeviceWork::kernel;
}

OpClass class_of_kernel(Opcode opcode) {
    switch (opcode) {
        case Opcode::attention:
        case Opcode::attention_backward:
            return OpClass::attention;
        case Opcode::softmax:
        case Opcode::softmax_backward:
            return OpClass::softmax;
        case Opcode::normalization:
        case Opcode::normalization_backward:
        case Opcode::batch_norm_training:
        case Opcode::batch_norm_inference:
        case Opcode::batch_norm_grad:
            return OpClass::normalization;
        case Opcode::gather:
        case Opcode::scatter:
        case Opcode::index_select:
        case Opcode::embedding_backward:
            return OpClass::embedding;
        case Opcode::loss:
        case Opcode::loss_backward:
            return OpClass::loss;
        case Opcode::optimizer_update:
            return OpClass::optimizer;
        default:
            return ir::opcode_class(opcode) == OpcodeClass::contraction ? OpClass::gemm
                                                                        : OpClass::elementwise;
    }
}

/// What a fused kernel is by what is in it.
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

/// The shape of a product, and the precision at which it runs.
bool take_shape(const Program& program, const Operation& operation, Compute& compute) {
    const auto shape = gemm_shape(program, operation);
    if (!shape) return false;
    compute.gemm = *shape;
    const ir::ValueId operand = program.operands(operation)[operation.operands.count > 1 ? 1 : 0];
    compute.precision = precision_of(program.types[program.type_of(operand)].element);
    return true;
}

/// The score product of fused attention: of aten queries are [batch, heads, sequence, head].
void take_attention_shape(const Program& program, const Operation& operation, Compute& compute) {
    const auto operands = program.operands(operation);
    const std::size_t first = operation.opcode == Opcode::attention_backward ? 1 : 0;
    if (operands.size() < first + 2) return;
    const ir::Type& queries = program.types[program.type_of(operands[first])];
    const ir::Type& keys = program.types[program.type_of(operands[first + 1])];
    if (queries.sizes.size() != 4 || keys.sizes.size() != 4) return;
    const auto size = [](const ir::Type& type, std::size_t i) { return static_cast<double>(type.sizes[i]); };
    compute.gemm = {size(queries, 0) * size(queries, 1), size(queries, 2), size(keys, 2), size(queries, 3)};
    compute.precision = precision_of(queries.element);
}

/// What a foreign call is, by its target and its FLOPs.
OpClass class_of_foreign(const Program& program, const Operation& operation, const ir::Cost& cost) {
    const std::string_view target = ir::foreign_name(program, operation);
    const auto has = [&](std::string_view part) { return target.find(part) != std::string_view::npos; };
    if (has("attn") || has("attention") || has("fmha")) return OpClass::attention;
    if (has("Softmax")) return OpClass::softmax;
    if (has("Norm")) return OpClass::normalization;
    return cost.foreign_flops > 0 ? OpClass::gemm : OpClass::elementwise;
}

/// Of a loop of a framework's own, a composite without a body and the like: what comes in and goes out.
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
    if (ir::opcode_class(operation.opcode) == OpcodeClass::movement) return of_movement(program, operation);
    return DeviceWork::kernel;
}

KernelCosts::KernelCosts(const Program& program, const ir::ForeignCosts& foreign)
    : program_{program}, foreign_{foreign}, costs_{program, foreign, ir::LoopCounting::by_trip_count} {}

bool KernelCosts::is_known(const Operation& operation) const {
    return ir::opcode_class(operation.opcode) != OpcodeClass::foreign ||
           foreign_.cost(program_, operation).has_value();
}

bool KernelCosts::is_nothing(const Operation& operation) const {
    if (ir::opcode_class(operation.opcode) != OpcodeClass::foreign) return false;
    const auto cost = foreign_.cost(program_, operation);
    return cost && cost->foreign_flops == 0.0 && cost->foreign_bytes == 0.0;
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
            for (const Operation& inner : program_[id].operations) take_shape(program_, inner, compute);
        }
    } else if (ir::opcode_class(operation.opcode) == OpcodeClass::foreign) {
        compute.op_class = class_of_foreign(program_, operation, cost);
    } else {
        compute.op_class = class_of_kernel(operation.opcode);
        take_shape(program_, operation, compute);
        if (compute.op_class == OpClass::attention) take_attention_shape(program_, operation, compute);
    }
    compute.executed_flop = Flop{cost.products() + cost.foreign_flops};
    compute.model_flop = compute.executed_flop;
    add_traffic(operation, cost, compute);
    return compute;
}

Precision precision_of(ir::ElementType type) {
    switch (type) {
        case ir::ElementType::f64:
        case ir::ElementType::c128:
            return Precision::fp64;
        case ir::ElementType::tf32:
            return Precision::tf32;
        case ir::ElementType::bf16:
            return Precision::bf16;
        case ir::ElementType::f16:
            return Precision::fp16;
        default:
            break;
    }
    if (ir::number_kind(type) != NumberKind::floating) return Precision::fp32;
    if (ir::bits(type) == 8) return Precision::fp8;
    return ir::bits(type) < 8 ? Precision::fp4 : Precision::fp32;
}

}  // namespace dse::frontend
