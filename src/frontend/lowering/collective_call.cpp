#include "frontend/lowering/collective_call.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/group_mode.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "dse/ir/program/program_error.hpp"
#include "frontend/lowering/mesh_axes.hpp"

namespace dse::frontend {
namespace {

using graph::CollectiveKind;
using ir::Exchange;
using ir::Opcode;
using ir::Operation;
using ir::Program;

double result_bytes(const Program& program, const Operation& operation) {
    double sum = 0.0;
    for (std::size_t i = 0; i < operation.results.count; ++i)
        sum += program.types.bytes(program.type_of(Program::result(operation, i)));
    return sum;
}

/// Bytes of the results, without the operands that a start returns in addition.
double gathered_bytes(const Program& program, const Operation& operation) {
    const double results = result_bytes(program, operation);
    const bool has_operands =
        operation.opcode == Opcode::all_gather_start && operation.results.count == 1 &&
        program.types[program.type_of(Program::result(operation))].kind == ir::Type::Kind::tuple;
    return has_operands ? results - ir::operand_bytes(program, operation) : results;
}

std::optional<CollectiveKind> kind_of(Opcode opcode) {
    switch (ir::traits(opcode).exchange) {
        case Exchange::all_reduce:
            return CollectiveKind::all_reduce;
        case Exchange::all_gather:
            return CollectiveKind::all_gather;
        case Exchange::reduce_scatter:
            return CollectiveKind::reduce_scatter;
        case Exchange::all_to_all:
            return CollectiveKind::all_to_all;
        case Exchange::broadcast:
        // A reduce is a broadcast in reverse and takes the same time.
        // Source: Chan et al. 2007, "Collective communication: theory, practice, and experience" (dual pairs)
        case Exchange::reduce:
            return CollectiveKind::broadcast;
        case Exchange::permute:
        case Exchange::receive:
            return CollectiveKind::ring_shift;
        case Exchange::send:
        case Exchange::none:
            break;
    }
    return std::nullopt;
}

bool is_permutation(Opcode opcode) {
    return kind_of(opcode) == CollectiveKind::ring_shift;
}

bool is_regular(const DevicePartition& partition, std::int64_t devices) {
    try {
        const MeshAxes axes(std::array{partition}, devices);
        return true;
    } catch (const ModelError&) {
        return false;
    }
}

DevicePartition everybody(std::int64_t devices) {
    ir::Communication communication;
    communication.mode = ir::GroupMode::flattened_ids;
    return partition_of(communication, {1, devices});
}

void require_known_ranks(const Program& program, const Operation& operation,
                         const ir::Communication& communication, const DeviceGrid& grid) {
    if (communication.group_size == 0 || !communication.groups.everybody() ||
        communication.group_size == grid.devices())
        return;
    throw ir::ProgramError(
        operation.line,
        fmt::format(
            "the {} ranks of process group '{}' are not known (capture it with a table of its groups)",
            communication.group_size, program.text(communication.process_group)));
}

/// Whether a value is an argument of the program that was only moved or converted.
bool is_argument(const Program& program, ir::ValueId value) {
    constexpr std::array moves{Opcode::convert,       Opcode::copy,
                               Opcode::bitcast,       Opcode::reshape,
                               Opcode::transpose,     Opcode::slice,
                               Opcode::dynamic_slice, Opcode::get_tuple_element,
                               Opcode::view,          Opcode::optimization_barrier};
    for (const Operation* made = program.definition(value); made != nullptr;
         made = program.definition(value)) {
        if (made->opcode == Opcode::parameter) return true;
        if (std::find(moves.begin(), moves.end(), made->opcode) == moves.end()) return false;
        const auto operands = program.operands(*made);
        if (operands.empty()) return false;
        value = operands.front();
    }
    return true;
}

}  // namespace

std::optional<CollectiveCall> collective_call(const Program& program, const Operation& operation) {
    const auto kind = kind_of(operation.opcode);
    if (!kind) return std::nullopt;
    const bool receives = *kind == CollectiveKind::all_gather || *kind == CollectiveKind::broadcast ||
                          operation.opcode == Opcode::recv;
    const double size = receives ? gathered_bytes(program, operation) : ir::operand_bytes(program, operation);
    return CollectiveCall{*kind, Bytes{size}};
}

DeviceGrid grid_of(const Program& program) {
    if (program.devices() > 1) return {program.replicas, program.partitions};
    std::int64_t devices = 1;
    for (const ir::Attribute& attribute : program.attributes) {
        const auto* communication = std::get_if<ir::Communication>(&attribute);
        if (communication == nullptr) continue;
        devices = std::max(devices, communication->group_size);
        for (const auto& [source, target] : communication->pairs)
            devices = std::max({devices, source + 1, target + 1});
        devices = std::max(devices, communication->groups.last_device() + 1);
    }
    return {1, devices};
}

DevicePartition partition_of(const Program& program, const Operation& operation, const DeviceGrid& grid) {
    const auto* communication = program.attribute_if<ir::Communication>(operation);
    if (communication == nullptr) return everybody(grid.devices());
    require_known_ranks(program, operation, *communication, grid);
    ir::Communication stated = *communication;
    stated.mode = ir::group_mode(program, *communication);
    DevicePartition partition = partition_of(stated, grid);
    if (is_permutation(operation.opcode) && !is_regular(partition, grid.devices()))
        return everybody(grid.devices());
    return partition;
}

bool gathers_parameters(const Program& program) {
    for (const ir::Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            if (kind_of(operation.opcode) != CollectiveKind::all_gather) continue;
            const auto operands = program.operands(operation);
            if (!operands.empty() && is_argument(program, operands.front())) return true;
        }
    }
    return false;
}

}  // namespace dse::frontend
