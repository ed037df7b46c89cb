#include "dse/ir/passes/collective_order.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "program_copy.hpp"
#include "uses.hpp"

namespace dse::ir {
namespace {

bool begins_communication(Opcode opcode) {
    constexpr std::array list{Opcode::all_reduce,           Opcode::all_gather,
                              Opcode::reduce_scatter,       Opcode::all_to_all,
                              Opcode::ragged_all_to_all,    Opcode::collective_permute,
                              Opcode::all_reduce_start,     Opcode::all_gather_start,
                              Opcode::collective_broadcast, Opcode::collective_permute_start};
    return std::find(list.begin(), list.end(), opcode) != list.end();
}

/// What may travel with the collective that alone reads it.
bool prepares(const Operation& operation) {
    return operation.results.count == 1 &&
           (opcode_class(operation.opcode) == OpcodeClass::movement || operation.opcode == Opcode::convert);
}

/// The new order of a computation's operations, as numbers of the old one.
class Order {
  public:
    Order(const Program& program, const Uses& uses, ComputationId id, std::int64_t ahead)
        : program_{program},
          uses_{uses},
          id_{id},
          operations_{program[id].operations},
          ahead_{ahead},
          moved_(operations_.size(), 0) {
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (begins_communication(operations_[i].opcode)) {
                insert(i);
            } else {
                order_.push_back(i);
            }
        }
    }
    [[nodiscard]] const std::vector<std::size_t>& get() const { return order_; }

  private:
    [[nodiscard]] std::int64_t defined_by(ValueId value) const {
        const Value& made = program_[value];
        return made.owner == id_ ? made.operation : -1;
    }

    /// The collective and what travels with it, in order; and those that they wait for.
    void collect(std::size_t operation, std::vector<std::size_t>& chain,
                 std::vector<std::size_t>& waits) const {
        for (const ValueId operand : program_.operands(operations_[operation])) {
            const std::int64_t made = defined_by(operand);
            if (made < 0) continue;
            const auto source = static_cast<std::size_t>(made);
            if (prepares(operations_[source]) && uses_.of(operand).size() == 1) {
                collect(source, chain, waits);
            } else {
                waits.push_back(source);
            }
        }
        chain.push_back(operation);
    }

    void insert(std::size_t collective) {
        std::vector<std::size_t> chain;
        std::vector<std::size_t> waits;
        collect(collective, chain, waits);
        std::erase_if(order_,
                      [&](std::size_t i) { return std::find(chain.begin(), chain.end(), i) != chain.end(); });
        // Backwards past everything that it does not wait for.
        collectives_.push_back(collective);
        const std::size_t bound = first_place();
        std::size_t place = order_.size();
        while (place > 0) {
            const std::size_t before = order_[place - 1];
            const bool needed = std::find(waits.begin(), waits.end(), before) != waits.end();
            const bool too_far = moved_[before] == 0 && before < bound;
            if (needed || too_far || operations_[before].opcode == Opcode::parameter) break;
            --place;
        }
        // Behind the collectives that were free to go there before it.
        while (place < order_.size() && moved_[order_[place]] != 0) ++place;
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), chain.begin(), chain.end());
        for (const std::size_t moved : chain) moved_[moved] = 1;
    }

    /// What stands before it the newest collective does not pass.
    [[nodiscard]] std::size_t first_place() const {
        const auto number = static_cast<std::int64_t>(collectives_.size()) - 1;
        return ahead_ > number ? 0 : collectives_[static_cast<std::size_t>(number - ahead_)];
    }

    const Program& program_;
    const Uses& uses_;
    ComputationId id_;
    const std::vector<Operation>& operations_;
    std::int64_t ahead_;
    std::vector<std::size_t> order_;
    std::vector<std::size_t> collectives_;  ///< so far, in the old order
    std::vector<char> moved_;               ///< by operation
};

}  // namespace

Program reorder_collectives(const Program& program, std::int64_t ahead) {
    const Uses uses(program);
    ProgramCopy copy(program);
    for (std::size_t c = 0; c < program.computations.size(); ++c) {
        const ComputationId now = copy.open(ComputationId{c});
        const Order order(program, uses, ComputationId{c}, ahead);
        for (const std::size_t i : order.get()) {
            const Operation& operation = program[ComputationId{c}].operations[i];
            copy.copy(operation, now, program.called(operation));
        }
        copy.close(ComputationId{c}, now);
    }
    Program result = copy.take();
    result.entry = program.entry;
    return result;
}

}  // namespace dse::ir
