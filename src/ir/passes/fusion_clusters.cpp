#include "fusion_clusters.hpp"

#include <algorithm>
#include <array>

#include "dse/ir/program/views.hpp"

namespace dse::ir {
namespace {

bool is_one_of(Opcode opcode, std::span<const Opcode> list) {
    return std::find(list.begin(), list.end(), opcode) != list.end();
}

bool is_elementwise(Opcode opcode) {
    const OpcodeClass family = opcode_class(opcode);
    return family == OpcodeClass::elementwise || family == OpcodeClass::transcendental;
}

/// Movements that a kernel can do while reading. They include a bitcast_convert: between types of equal size
/// it covers as many elements as its operand, like any element-wise operation.
bool is_indexing(Opcode opcode) {
    constexpr std::array list{
        Opcode::broadcast,       Opcode::reshape,       Opcode::transpose, Opcode::slice,   Opcode::bitcast,
        Opcode::bitcast_convert, Opcode::dynamic_slice, Opcode::pad,       Opcode::reverse, Opcode::iota,
        Opcode::concatenate,     Opcode::view,          Opcode::expand,    Opcode::copy};
    return is_one_of(opcode, list);
}

/// What a product can do to its operands while reading them.
bool is_operand_form(Opcode opcode) {
    constexpr std::array list{Opcode::transpose,       Opcode::reshape, Opcode::bitcast, Opcode::convert,
                              Opcode::bitcast_convert, Opcode::view,    Opcode::expand,  Opcode::copy};
    return is_one_of(opcode, list);
}

bool is_product(Opcode opcode) {
    return opcode == Opcode::dot || opcode == Opcode::convolution;
}

}  // namespace

FusionClusters::FusionClusters(const Program& program, const Uses& uses, ComputationId computation,
                               FusionLevel level)
    : program_{program},
      uses_{uses},
      id_{computation},
      operations_{program[computation].operations},
      level_{level},
      repeated_(operations_.size(), 0),
      root_(operations_.size(), none),
      kernels_(operations_.size()),
      members_(operations_.size()) {
    find_repeated();
    for (std::size_t i = operations_.size(); i-- > 0;) {
        const Operation& operation = operations_[i];
        if (repeated_[i] != 0 || !can_begin(operation)) continue;
        const std::int64_t reader = only_reader(i);
        const auto root = static_cast<std::size_t>(std::max<std::int64_t>(reader, 0));
        // A chain of views moves nothing and is not a kernel.
        const bool view = is_view(program_, operation);
        // A kernel ends with an operation that computes: views of its result move nothing.
        const bool of_views = reader != none && kernels_[root].views && !view;
        if (reader != none && !of_views && joins(operation, kernels_[root], operations_[root])) {
            root_[i] = reader;
        } else {
            root_[i] = static_cast<std::int64_t>(i);
            kernels_[i].space = space_of(operation);
            kernels_[i].views = view;
        }
        Kernel& kernel = kernels_[static_cast<std::size_t>(root_[i])];
        kernel.reduces = kernel.reduces || operation.opcode == Opcode::reduce;
        kernel.multiplies = kernel.multiplies || is_product(operation.opcode);
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) members_[root_of(i)].push_back(i);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        if (kernels_[i].views) dissolve(i);
    }
}

void FusionClusters::dissolve(std::size_t root) {
    const std::vector<std::size_t> members = members_[root];
    for (const std::size_t member : members) {
        root_[member] = none;
        members_[member] = {member};
    }
}

bool FusionClusters::is_fused(std::size_t root) const {
    if (members_[root].size() > 1) return true;
    if (root_[root] == none) return false;
    const auto operands = program_.operands(operations_[root]);
    return std::any_of(operands.begin(), operands.end(), [&](ValueId operand) {
        const Value& value = program_[operand];
        if (value.owner != id_ || value.operation < 0) return false;
        const auto made = static_cast<std::size_t>(value.operation);
        return repeated_[made] != 0 && operations_[made].opcode != Opcode::constant;
    });
}

std::size_t FusionClusters::root_of(std::size_t operation) const {
    return root_[operation] == none ? operation : static_cast<std::size_t>(root_[operation]);
}

std::size_t FusionClusters::namesake_of(std::size_t root) const {
    const std::vector<std::size_t>& members = members_[root];
    const auto product = std::find_if(members.begin(), members.end(), [this](std::size_t member) {
        return is_product(operations_[member].opcode);
    });
    return product == members.end() ? root : *product;
}

void FusionClusters::find_repeated() {
    constexpr std::array list{Opcode::constant, Opcode::iota, Opcode::broadcast};
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        const Operation& operation = operations_[i];
        if (!is_one_of(operation.opcode, list) || operation.results.count != 1) continue;
        const auto& users = uses_.of(Program::result(operation));
        const bool stays = std::all_of(users.begin(), users.end(),
                                       [&](const Uses::Place& use) { return use.computation == id_; });
        repeated_[i] = stays ? 1 : 0;
    }
}

/// The kernel to which all readers belong; none if there are several, or a reader is not in a kernel.
std::int64_t FusionClusters::only_reader(std::size_t operation) const {
    std::int64_t reader = none;
    return add_readers(operation, reader) ? reader : none;
}

bool FusionClusters::add_readers(std::size_t operation, std::int64_t& reader) const {
    for (const Uses::Place& use : uses_.of(Program::result(operations_[operation]))) {
        if (use.computation != id_ || use.operation < 0) return false;
        const auto user = static_cast<std::size_t>(use.operation);
        if (repeated_[user] != 0) {
            // A value broadcast over rows belongs to the kernel that covers the rows.
            if (level_ != FusionLevel::full || !add_readers(user, reader)) return false;
            continue;
        }
        if (root_[user] == none || (reader != none && reader != root_[user])) return false;
        reader = root_[user];
    }
    return true;
}

bool FusionClusters::has_one_array(const Operation& operation) const {
    if (operation.results.count != 1) return false;
    const Type& type = program_.types[program_.type_of(Program::result(operation))];
    const auto operands = program_.operands(operation);
    const auto on_device = [&](ValueId value) {
        return program_.types[program_.type_of(value)].memory_space != host_memory_space;
    };
    return type.kind == Type::Kind::array && on_device(Program::result(operation)) &&
           std::all_of(operands.begin(), operands.end(), on_device);
}

bool FusionClusters::can_begin(const Operation& operation) const {
    const bool kind = is_elementwise(operation.opcode) || is_indexing(operation.opcode) ||
                      is_product(operation.opcode) || operation.opcode == Opcode::reduce ||
                      operation.opcode == Opcode::dynamic_update_slice;
    return kind && has_one_array(operation);
}

double FusionClusters::space_of(const Operation& operation) const {
    const auto operands = program_.operands(operation);
    if (operation.opcode == Opcode::reduce && !operands.empty()) return elements(operands.front());
    if (operation.opcode == Opcode::dynamic_update_slice && operands.size() > 1) return elements(operands[1]);
    return elements(Program::result(operation));
}

/// Whether this is a reduction over the innermost dimensions, of several rows that fit on chip.
bool FusionClusters::reduces_rows(const Operation& reduce) const {
    constexpr double longest_row = 65536;
    const auto* dimensions = program_.attribute_if<Dimensions>(reduce);
    const auto operands = program_.operands(reduce);
    if (dimensions == nullptr || operands.empty()) return false;
    const auto rank =
        static_cast<std::int64_t>(program_.types[program_.type_of(operands.front())].sizes.size());
    const auto reduced = static_cast<std::int64_t>(dimensions->numbers.size());
    const bool innermost = std::all_of(dimensions->numbers.begin(), dimensions->numbers.end(),
                                       [&](std::int64_t number) { return number >= rank - reduced; });
    const double rows = elements(Program::result(reduce));
    return innermost && rows > 1 && elements(operands.front()) / rows <= longest_row;
}

bool FusionClusters::joins(const Operation& operation, const Kernel& kernel, const Operation& root) const {
    if (operation.opcode == Opcode::dynamic_update_slice) return false;
    if (kernel.multiplies || is_product(root.opcode)) return is_operand_form(operation.opcode);
    const double space = space_of(operation);
    const bool same = space == kernel.space;
    if (is_product(operation.opcode))
        return level_ == FusionLevel::full && same && !kernel.reduces &&
               root.opcode != Opcode::dynamic_update_slice;
    if (operation.opcode == Opcode::reduce)
        return level_ == FusionLevel::full && same && reduces_rows(operation);
    if (same) return true;
    // Values per row, or for all rows.
    return level_ == FusionLevel::full && space < kernel.space;
}

}  // namespace dse::ir
