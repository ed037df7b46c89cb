#include "dse/ir/passes/collective_order.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "late_readers.hpp"
#include "program_copy.hpp"

namespace dse::ir {
namespace {

bool begins_communication(Opcode opcode) {
    constexpr std::array list{Opcode::all_reduce,
                              Opcode::all_gather,
                              Opcode::reduce_scatter,
                              Opcode::all_to_all,
                              Opcode::ragged_all_to_all,
                              Opcode::collective_permute,
                              Opcode::all_reduce_start,
                              Opcode::all_gather_start,
                              Opcode::collective_broadcast,
                              Opcode::collective_reduce,
                              Opcode::collective_permute_start};
    return std::find(list.begin(), list.end(), opcode) != list.end();
}

/// Whether an operation moves together with a collective that reads it: operations that move or convert
/// elements, and those that cost nothing. Other readers are not affected, as they come later anyway.
bool prepares(const Program& program, const Operation& operation) {
    if (operation.results.count != 1 || operation.called.count != 0) return false;
    switch (opcode_class(operation.opcode)) {
        case OpcodeClass::movement:
            return true;
        case OpcodeClass::bookkeeping:
            return operation.opcode != Opcode::parameter;
        case OpcodeClass::elementwise:  // an index
            return operation.opcode == Opcode::convert ||
                   program.types.elements(program.type_of(Program::result(operation))) == 1.0;
        default:
            return false;
    }
}

/// The new order of a computation's operations, as indices into the old one.
class Order {
  public:
    Order(const Program& program, ComputationId id, std::int64_t ahead)
        : program_{program},
          id_{id},
          operations_{program[id].operations},
          ahead_{ahead},
          moved_(operations_.size(), 0),
          travels_(operations_.size(), 0),
          awaited_(operations_.size(), 0) {
        // Some texts have each parameter before its first use.
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (operations_[i].opcode == Opcode::parameter) order_.push_back(i);
        }
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (begins_communication(operations_[i].opcode)) {
                insert(i);
            } else if (operations_[i].opcode != Opcode::parameter) {
                order_.push_back(i);
            }
        }
    }
    [[nodiscard]] NewOrder get() const {
        NewOrder result{order_, moved_};
        // Parameters have moved to the front.
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (operations_[i].opcode == Opcode::parameter) result.moved[i] = 1;
        }
        return result;
    }

    /// By operation: for collectives the position of the one that is `ahead` collectives later; 0 for others.
    [[nodiscard]] std::vector<std::size_t> behind() const {
        std::vector<std::size_t> result(operations_.size(), 0);
        for (std::size_t i = 0; ahead_ > 0 && i < collectives_.size(); ++i) {
            const bool is_there = ahead_ < static_cast<std::int64_t>(collectives_.size() - i);
            result[collectives_[i]] =
                is_there ? collectives_[i + static_cast<std::size_t>(ahead_)] : operations_.size();
        }
        return result;
    }

  private:
    [[nodiscard]] std::int64_t defined_by(ValueId value) const {
        const Value& made = program_[value];
        return made.owner == id_ ? made.operation : -1;
    }

    /// Finds the collective and the operations that move with it, in order, and the operations that they wait
    /// for.
    void collect(std::size_t operation, std::vector<std::size_t>& chain, std::vector<std::size_t>& waits) {
        for (const ValueId operand : program_.operands(operations_[operation])) {
            const std::int64_t made = defined_by(operand);
            if (made < 0) continue;
            const auto source = static_cast<std::size_t>(made);
            if (travels_[source] != 0) continue;
            if (prepares(program_, operations_[source]) && moved_[source] == 0) {
                collect(source, chain, waits);
            } else {
                waits.push_back(source);
                awaited_[source] = 1;
            }
        }
        chain.push_back(operation);
        travels_[operation] = 1;
    }

    void insert(std::size_t collective) {
        std::vector<std::size_t> chain;
        std::vector<std::size_t> waits;
        collect(collective, chain, waits);
        collectives_.push_back(collective);
        const auto travels = [this](std::size_t i) { return travels_[i] != 0; };
        // Moves back past everything that it does not wait for.
        const std::size_t bound = first_place();
        std::size_t place = order_.size();
        for (; place > 0; --place) {
            const std::size_t before = order_[place - 1];
            if (travels(before)) continue;
            const bool too_far = moved_[before] == 0 && before < bound;
            if (awaited_[before] != 0 || too_far || operations_[before].opcode == Opcode::parameter) break;
        }
        // Stays after collectives that could move there before.
        while (place < order_.size() && moved_[order_[place]] != 0) ++place;
        const auto from = order_.begin() + static_cast<std::ptrdiff_t>(place);
        for (auto next = from; next != order_.end(); ++next) {
            if (travels(*next)) moved_[*next] = 1;
        }
        moved_[collective] = 1;
        order_.erase(std::remove_if(from, order_.end(), travels), order_.end());
        for (const std::size_t i : chain) travels_[i] = 0;
        for (const std::size_t i : waits) awaited_[i] = 0;
        // Operations to be moved that are already further ahead stay there, since others may read them in
        // between.
        std::erase_if(chain, [this](std::size_t i) { return moved_[i] == 0; });
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), chain.begin(), chain.end());
    }

    /// The newest collective does not move past operations before this one.
    [[nodiscard]] std::size_t first_place() const {
        const auto number = static_cast<std::int64_t>(collectives_.size()) - 1;
        return ahead_ > number ? 0 : collectives_[static_cast<std::size_t>(number - ahead_)];
    }

    const Program& program_;
    ComputationId id_;
    const std::vector<Operation>& operations_;
    std::int64_t ahead_;
    std::vector<std::size_t> order_;
    std::vector<std::size_t> collectives_;  ///< so far, in the old order
    std::vector<char> moved_;               ///< by operation
    std::vector<char> travels_;  ///< by operation: moves with the collective that is being inserted
    std::vector<char> awaited_;  ///< by operation: what that waits for
};

}  // namespace

Program reorder_collectives(const Program& program, std::int64_t ahead) {
    ProgramCopy copy(program);
    const Uses uses(program);
    return copy.write_all([&](ComputationId old, ComputationId now) {
        const Order order(program, old, ahead);
        for (const std::size_t i : with_late_readers(program, uses, old, order.get(), order.behind())) {
            const Operation& operation = program[old].operations[i];
            copy.copy(operation, now, program.called(operation));
        }
    });
}

}  // namespace dse::ir
