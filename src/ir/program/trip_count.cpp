#include "ir/program/trip_count.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {
namespace {

/// A call that led to a computation; maps the computation's values to those of the caller.
struct Frame {
    const Operation* caller{nullptr};
    const Frame* outer{nullptr};
};

/// A value, and the calls that led to its computation.
struct Place {
    ValueId value;
    const Frame* frame{nullptr};
};

class LoopReader {
  public:
    LoopReader(const Program& program, const Operation& loop)
        : program_{program},
          loop_{loop},
          condition_{program.called(loop)[0]},
          body_{program.called(loop)[1]} {}

    std::optional<std::int64_t> trip_count() {
        if (program_[condition_].results.empty() || program_[body_].results.empty()) return std::nullopt;
        const Place root = source({program_[condition_].results[0]});
        const Operation* comparison = program_.definition(root.value);
        if (comparison == nullptr || comparison->opcode != Opcode::compare) return std::nullopt;
        ComparisonDirection direction = program_.attribute_if<Comparison>(*comparison)->direction;
        Place left{program_.operands(*comparison)[0], root.frame};
        Place right{program_.operands(*comparison)[1], root.frame};
        auto counter = carried(left, condition_);
        auto limit = value_at_start(right);
        if (!counter || !limit) {
            std::swap(left, right);
            direction = mirrored(direction);
            counter = carried(left, condition_);
            limit = value_at_start(right);
        }
        if (!counter || !limit) return std::nullopt;
        const auto first = constant(initial(*counter));
        const auto step = this->step(*counter);
        if (!first || !step || *step == 0) return std::nullopt;
        return count(*first, *step, *limit, direction);
    }

  private:
    static ComparisonDirection mirrored(ComparisonDirection direction) {
        switch (direction) {
            case ComparisonDirection::less:
                return ComparisonDirection::greater;
            case ComparisonDirection::less_equal:
                return ComparisonDirection::greater_equal;
            case ComparisonDirection::greater:
                return ComparisonDirection::less;
            case ComparisonDirection::greater_equal:
                return ComparisonDirection::less_equal;
            default:
                return direction;
        }
    }

    /// Iterations of for (i = first; i direction limit; i += step); nothing if it does not end.
    static std::optional<std::int64_t> count(std::int64_t first, std::int64_t step, std::int64_t limit,
                                             ComparisonDirection direction) {
        std::int64_t distance = limit - first;
        std::int64_t stride = step;
        if (direction == ComparisonDirection::greater || direction == ComparisonDirection::greater_equal) {
            distance = -distance;
            stride = -stride;
        }
        if (direction == ComparisonDirection::equal) return distance == 0 ? 1 : 0;
        if (direction == ComparisonDirection::not_equal) {
            if (distance % stride != 0 || distance / stride < 0) return std::nullopt;
            return distance / stride;
        }
        if (direction == ComparisonDirection::less_equal || direction == ComparisonDirection::greater_equal)
            distance += 1;
        if (distance <= 0) return 0;
        if (stride <= 0) return std::nullopt;
        return (distance + stride - 1) / stride;
    }

    /// The origin of a value, looking through operations that only pass it on.
    Place source(Place at) {
        for (; steps_ < most_steps; ++steps_) {
            const Operation* definition = program_.definition(at.value);
            if (definition == nullptr || definition->opcode == Opcode::parameter) {
                if (at.frame == nullptr) return at;
                const auto operands = program_.operands(*at.frame->caller);
                const std::uint32_t number = program_[at.value].number;
                if (number >= operands.size()) return at;
                at = {operands[number], at.frame->outer};
                continue;
            }
            const auto next = handed_on(*definition, at);
            if (!next) return at;
            at = *next;
        }
        return at;
    }

    std::optional<Place> handed_on(const Operation& operation, Place at) {
        const std::uint32_t number = program_[at.value].number;
        if (traits(operation.opcode).hands_on) {
            if (program_.operands(operation).size() <= number) return std::nullopt;
            return Place{program_.operands(operation)[number], at.frame};
        }
        if (operation.opcode == Opcode::get_tuple_element) return member(operation, at);
        if (operation.opcode != Opcode::fusion && operation.opcode != Opcode::call) return std::nullopt;
        const Computation& called = program_[program_.called(operation)[0]];
        if (number >= called.results.size()) return std::nullopt;
        frames_.push_back({&operation, at.frame});
        return Place{called.results[number], &frames_.back()};
    }

    std::optional<Place> member(const Operation& element, Place at) {
        const Place tuple = source({program_.operands(element)[0], at.frame});
        const Operation* made = program_.definition(tuple.value);
        if (made == nullptr || made->opcode != Opcode::tuple) return std::nullopt;
        const std::int64_t number = program_.attribute_if<Index>(element)->number;
        return Place{program_.operands(*made)[static_cast<std::size_t>(number)], tuple.frame};
    }

    /// The index of the carried integer that a value in the loop's condition or body equals.
    std::optional<std::size_t> carried(Place at, ComputationId computation) {
        at = source(at);
        if (at.frame != nullptr) return std::nullopt;
        const auto is_argument = [&](ValueId value) {
            const Operation* definition = program_.definition(value);
            return program_[value].owner == computation &&
                   (definition == nullptr || definition->opcode == Opcode::parameter);
        };
        if (is_argument(at.value)) return program_[at.value].number;
        const Operation* definition = program_.definition(at.value);
        if (definition == nullptr || definition->opcode != Opcode::get_tuple_element) return std::nullopt;
        const Place tuple = source({program_.operands(*definition)[0]});
        if (tuple.frame != nullptr || !is_argument(tuple.value)) return std::nullopt;
        return static_cast<std::size_t>(program_.attribute_if<Index>(*definition)->number);
    }

    /// The carried value with this index at the start of the loop.
    Place initial(std::size_t number) { return element(program_.operands(loop_), number); }

    Place element(std::span<const ValueId> values, std::size_t number) {
        const bool tuple = program_.types[program_.type_of(values[0])].kind == Type::Kind::tuple;
        if (!tuple) return {values[std::min(number, values.size() - 1)]};
        const Place made = source({values[0]});
        const Operation* definition = program_.definition(made.value);
        if (definition == nullptr || definition->opcode != Opcode::tuple) return {values[0]};
        const auto members = program_.operands(*definition);
        return {members[std::min(number, members.size() - 1)], made.frame};
    }

    std::optional<std::int64_t> constant(Place at) {
        const Operation* definition = program_.definition(source(at).value);
        if (definition == nullptr || definition->opcode != Opcode::constant) return std::nullopt;
        const auto* literal = program_.attribute_if<Literal>(*definition);
        if (literal == nullptr || !literal->integer) return std::nullopt;
        if (*literal->integer < -largest || *literal->integer > largest) return std::nullopt;
        return literal->integer;
    }

    /// The value of a limit: a constant, or a value that the loop carries unchanged.
    std::optional<std::int64_t> value_at_start(Place at) {
        if (const auto value = constant(at)) return value;
        const auto number = carried(at, condition_);
        if (!number || carried(next(*number), body_) != number) return std::nullopt;
        return constant(initial(*number));
    }

    /// The carried value with this index at the end of the body.
    Place next(std::size_t number) { return element(program_[body_].results, number); }

    std::optional<std::int64_t> step(std::size_t number) {
        const Place sum = source(next(number));
        const Operation* definition = program_.definition(sum.value);
        if (definition == nullptr ||
            (definition->opcode != Opcode::add && definition->opcode != Opcode::subtract))
            return std::nullopt;
        const Place left{program_.operands(*definition)[0], sum.frame};
        const Place right{program_.operands(*definition)[1], sum.frame};
        if (carried(left, body_) == number) {
            const auto value = constant(right);
            if (!value || definition->opcode == Opcode::add) return value;
            return -*value;
        }
        if (definition->opcode != Opcode::add || carried(right, body_) != number) return std::nullopt;
        return constant(left);
    }

    static constexpr int most_steps = 10'000;
    static constexpr std::int64_t largest = std::int64_t{1} << 61;  ///< sums of two still fit into an integer

    const Program& program_;
    const Operation& loop_;
    ComputationId condition_;
    ComputationId body_;
    std::deque<Frame> frames_;
    int steps_{0};
};

}  // namespace

std::optional<std::int64_t> derived_trip_count(const Program& program, const Operation& loop) {
    DSE_EXPECT(loop.opcode == Opcode::while_loop && program.called(loop).size() == 2);
    return LoopReader{program, loop}.trip_count();
}

void derive_trip_counts(Program& program) {
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            if (operation.opcode != Opcode::while_loop) continue;
            auto* loop = std::get_if<Loop>(&program.attributes[operation.attribute.index()]);
            if (loop != nullptr && !loop->trip_count)
                loop->trip_count = derived_trip_count(program, operation);
        }
    }
}

}  // namespace dse::ir
