#include "ir/partition/reading_order.hpp"

#include <cstddef>
#include <cstdint>

namespace dse::ir::partition {
namespace {

class DepthFirst {
  public:
    DepthFirst(const Program& program, ComputationId id)
        : program_{program}, id_{id}, states_(program[id].operations.size(), State::unseen) {}

    std::vector<const Operation*> order() {
        const std::vector<bool> read = which_are_read();
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (!read[i]) visit(i);
        return std::move(order_);
    }

  private:
    enum class State : std::uint8_t { unseen, entered, done };

    [[nodiscard]] std::vector<bool> which_are_read() {
        std::vector<bool> result(states_.size(), false);
        for (const Operation& operation : program_[id_].operations) {
            sources_.clear();
            find_sources(operation);
            for (const std::size_t source : sources_) result[source] = true;
        }
        return result;
    }

    void visit(std::size_t first) {
        std::vector<std::size_t> stack{first};
        while (!stack.empty()) {
            const std::size_t number = stack.back();
            State& state = states_[number];
            if (state != State::unseen) {
                stack.pop_back();
                if (state == State::entered) order_.push_back(&program_[id_].operations[number]);
                state = State::done;
                continue;
            }
            state = State::entered;
            sources_.clear();
            find_sources(program_[id_].operations[number]);
            for (std::size_t i = sources_.size(); i-- > 0;) stack.push_back(sources_[i]);
        }
    }

    // The operations of this computation whose results the given one reads, directly or in its regions.
    void find_sources(const Operation& operation) {
        for (const ValueId operand : program_.operands(operation)) {
            const Value& value = program_[operand];
            if (value.owner == id_ && value.operation >= 0)
                sources_.push_back(static_cast<std::size_t>(value.operation));
        }
        if (program_.language != Language::mlir) return;
        for (const ComputationId region : program_.called(operation))
            for (const Operation& inner : program_[region].operations) find_sources(inner);
    }

    const Program& program_;
    ComputationId id_;
    std::vector<State> states_;         ///< by operation
    std::vector<std::size_t> sources_;  ///< of the current operation
    std::vector<const Operation*> order_;
};

}  // namespace

std::vector<const Operation*> reading_order(const Program& program, ComputationId computation) {
    return DepthFirst{program, computation}.order();
}

}  // namespace dse::ir::partition
