#include "dse/ir/program/cost/fusion_traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {
namespace {

// Larger constants are kept in memory. Source: XLA, HloCostAnalysis::immediate_constant_max_elements
constexpr double largest_immediate = 8;

// Maximum nesting of fusions; deeper ones count as reading the whole value.
constexpr int deepest_fusion = 64;

/// The operations that use each value of a computation, in order.
class Users {
  public:
    Users(const Program& program, const Computation& computation) {
        for (const Operation& operation : computation.operations)
            for (const ValueId operand : program.operands(operation)) uses_.emplace_back(operand, &operation);
        std::stable_sort(uses_.begin(), uses_.end(),
                         [](const Use& a, const Use& b) { return a.first < b.first; });
    }

    /// Visits each user once, even if it uses the value several times.
    template <class Visit>
    void each(ValueId value, Visit visit) const {
        auto use =
            std::lower_bound(uses_.begin(), uses_.end(), value,
                             [](const Use& earlier, ValueId wanted) { return earlier.first < wanted; });
        const Operation* last = nullptr;
        for (; use != uses_.end() && use->first == value; ++use)
            if (std::exchange(last, use->second) != use->second) visit(*use->second);
    }

  private:
    using Use = std::pair<ValueId, const Operation*>;
    std::vector<Use> uses_;
};

/// Bytes read from the arguments of fused computations, which may contain further fusions.
class Reading {
  public:
    explicit Reading(const Program& program) : program_{program} {}

    double of(ValueId value, int depth = 0) {
        const auto [known, added] = read_.try_emplace(value, 0);
        if (!added) return known->second;
        double bytes = 0;
        if (is_tuple(value)) {
            users(value).each(value, [&](const Operation& user) {
                if (user.opcode == Opcode::get_tuple_element) bytes += of(Program::result(user), depth);
            });
        } else {
            bool shared = false;
            users(value).each(value, [&](const Operation& user) { bytes += by(user, value, shared, depth); });
        }
        return read_[value] = bytes;
    }

  private:
    [[nodiscard]] bool is_tuple(ValueId value) const {
        return program_.types[program_.type_of(value)].kind == Type::Kind::tuple;
    }
    [[nodiscard]] double size(ValueId value) const { return program_.types.bytes(program_.type_of(value)); }

    const Users& users(ValueId value) {
        const ComputationId owner = program_[value].owner;
        const auto found = users_.find(owner);
        if (found != users_.end()) return found->second;
        return users_.emplace(owner, Users{program_, program_[owner]}).first->second;
    }

    /// \param shared  whether the whole value has been read already, in a read shared by all that need it
    double by(const Operation& user, ValueId value, bool& shared, int depth) {
        const auto whole = [&] { return std::exchange(shared, true) ? 0 : size(value); };
        const bool first = program_.operands(user)[0] == value;
        switch (traits(user.opcode).fused_read) {
            case FusedRead::inside:
                return depth < deepest_fusion ? inside(user, value, depth + 1) : whole();
            case FusedRead::what_is_taken:
                return first ? size(Program::result(user)) : whole();
            case FusedRead::nothing:
                return first ? 0 : whole();
            case FusedRead::each_time:
                return size(value);
            default:
                return whole();
        }
    }

    double inside(const Operation& fusion, ValueId value, int depth) {
        const Computation& inner = program_[program_.called(fusion)[0]];
        const auto operands = program_.operands(fusion);
        double bytes = 0;
        for (std::size_t i = 0; i < operands.size() && i < inner.arguments.size(); ++i)
            if (operands[i] == value) bytes += of(inner.arguments[i], depth);
        return bytes;
    }

    const Program& program_;
    std::map<ComputationId, Users> users_;
    std::map<ValueId, double> read_;
};

double written(const Program& program, ValueId value) {
    const Operation* made = program.definition(value);
    if (made != nullptr && made->opcode == Opcode::dynamic_update_slice && program.operands(*made).size() > 1)
        value = program.operands(*made)[1];
    return program.types.bytes(program.type_of(value));
}

}  // namespace

Traffic fusion_traffic(const Program& program, const Operation& fusion) {
    const Computation& inner = program[program.called(fusion)[0]];
    Traffic traffic;
    for (const ValueId result : inner.results) {
        const Operation* root = program.definition(result);
        if (root == nullptr || root->opcode != Opcode::tuple)
            traffic.written += written(program, result);
        else
            for (const ValueId element : program.operands(*root))
                traffic.written += written(program, element);
    }
    for (const Operation& operation : inner.operations) {
        if (operation.opcode != Opcode::constant) continue;
        const TypeId type = program.type_of(Program::result(operation));
        if (program.types.elements(type) > largest_immediate) traffic.read += program.types.bytes(type);
    }
    Reading reading{program};
    for (const ValueId argument : inner.arguments) traffic.read += reading.of(argument);
    return traffic;
}

}  // namespace dse::ir
