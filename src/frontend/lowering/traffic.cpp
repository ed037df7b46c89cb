#include "traffic.hpp"

#include <algorithm>
#include <vector>

namespace dse::frontend {
namespace {

using ir::Opcode;
using ir::Operation;
using ir::Program;
using ir::ValueId;

double bytes(const Program& program, ValueId value) {
    return program.types.bytes(program.type_of(value));
}

double result_bytes(const Program& program, const Operation& operation) {
    double sum = 0.0;
    for (std::size_t i = 0; i < operation.results.count; ++i)
        sum += bytes(program, Program::result(operation, i));
    return sum;
}

/// What an operation reads of its i-th operand.
double read_of(const Program& program, const Operation& operation, std::size_t i) {
    const auto operands = program.operands(operation);
    switch (operation.opcode) {
        case Opcode::slice:
        case Opcode::dynamic_slice:
        case Opcode::gather:
        case Opcode::index_select:
            return i == 0 ? result_bytes(program, operation) : bytes(program, operands[i]);
        case Opcode::dynamic_update_slice:
            return i == 0 ? 0.0 : bytes(program, operands[i]);
        case Opcode::scatter:
            // What is there is read where it is updated.
            return i == 0 && operands.size() > 2 ? bytes(program, operands[2]) : bytes(program, operands[i]);
        default:
            return bytes(program, operands[i]);
    }
}

double written_by(const Program& program, const Operation& operation) {
    const auto operands = program.operands(operation);
    if (operation.opcode == Opcode::dynamic_update_slice && operands.size() > 1)
        return bytes(program, operands[1]);
    if (operation.opcode == Opcode::scatter && operands.size() > 2) return bytes(program, operands[2]);
    return result_bytes(program, operation);
}

/// A fused computation: who inside reads its arguments, and what its results are.
class FusedBody {
  public:
    FusedBody(const Program& program, const ir::Computation& body) : program_{program}, body_{body} {
        for (const ValueId argument : body.arguments) arguments_.push_back(argument);
        for (const Operation& inner : body.operations) {
            const auto* index = program.attribute_if<ir::Index>(inner);
            if (inner.opcode != Opcode::parameter || index == nullptr) continue;
            const auto number = static_cast<std::size_t>(index->number);
            if (arguments_.size() <= number) arguments_.resize(number + 1);
            arguments_[number] = Program::result(inner);
        }
    }

    /// \param whole  bytes of what the argument stands for
    [[nodiscard]] double read_of_argument(std::size_t number, double whole) const {
        if (number >= arguments_.size()) return whole;
        double sum = 0.0;
        if (!add_reads(arguments_[number], sum)) return whole;
        return std::min(whole, sum);
    }

    [[nodiscard]] double written() const {
        double sum = 0.0;
        for (const ValueId result : body_.results) sum += written(result);
        return sum;
    }

  private:
    /// \return false where somebody reads all of it
    [[nodiscard]] bool add_reads(ValueId value, double& sum) const {
        for (const Operation& inner : body_.operations) {
            const auto operands = program_.operands(inner);
            for (std::size_t i = 0; i < operands.size(); ++i) {
                if (operands[i] != value) continue;
                if (inner.opcode == Opcode::bitcast || inner.opcode == Opcode::reshape) {
                    if (!add_reads(Program::result(inner), sum)) return false;
                    continue;
                }
                const double read = frontend::read_of(program_, inner, i);
                const bool part = read < bytes(program_, value);
                if (!part) return false;
                sum += read;
            }
        }
        return true;
    }

    [[nodiscard]] double written(ValueId value) const {
        const Operation* made = program_.definition(value);
        if (made == nullptr || program_[value].owner != owner_of_results()) return bytes(program_, value);
        if (made->opcode == Opcode::tuple) {
            double sum = 0.0;
            for (const ValueId member : program_.operands(*made)) sum += written(member);
            return sum;
        }
        if (made->opcode == Opcode::bitcast) return written(program_.operands(*made).front());
        if (made->opcode == Opcode::parameter) return 0.0;
        return written_by(program_, *made);
    }

    [[nodiscard]] ir::ComputationId owner_of_results() const { return program_[body_.results.front()].owner; }

    const Program& program_;
    const ir::Computation& body_;
    std::vector<ValueId> arguments_;
};

}  // namespace

Traffic traffic_of(const Program& program, const Operation& operation) {
    const auto operands = program.operands(operation);
    double read = 0.0;
    if (operation.opcode == Opcode::fusion && !program.called(operation).empty()) {
        const FusedBody body(program, program[program.called(operation).front()]);
        for (std::size_t i = 0; i < operands.size(); ++i)
            read += body.read_of_argument(i, bytes(program, operands[i]));
        return {Bytes{read}, Bytes{body.written()}};
    }
    for (std::size_t i = 0; i < operands.size(); ++i) read += read_of(program, operation, i);
    return {Bytes{read}, Bytes{written_by(program, operation)}};
}

}  // namespace dse::frontend
