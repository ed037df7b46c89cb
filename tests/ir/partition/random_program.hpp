#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ir/partition/sharded_program.hpp"
#include "ir/partition/simulated_devices.hpp"

namespace dse::ir::test {

/// Some operations on arrays that lie in random ways on the mesh, of all kinds that SimulatedDevices runs.
class RandomProgram : public ShardedProgram {
  public:
    explicit RandomProgram(std::uint64_t seed) : random_{seed} {
        for (int i = 0; i < 3; ++i) add_argument();
        for (int i = 0; i < 10; ++i) grow(main, values_);
        // All that is left over is returned, so that nothing is without a reader.
        std::vector<ValueId> results{values_.end() - 3, values_.end()};
        for (const ValueId result : results) result_axes.push_back(axes(sizes(result)));
        returns(results);
        for (const auto& stated : result_axes)
            program.computations[main.index()].result_shardings.push_back(on(stated));
    }

    using Stated = std::vector<std::vector<AxisRef>>;
    std::vector<Stated> argument_axes;
    std::vector<Stated> result_axes;

  private:
    static constexpr std::int64_t most_elements = 4096;

    std::size_t one_of(std::size_t count) { return random_() % count; }

    // Axes, or their halves, on dimensions that they divide.
    Stated axes(const Sizes& shape) {
        Stated result(shape.size());
        if (shape.empty()) return result;
        std::vector<AxisRef> all{data, model};
        if (one_of(3) == 0) all = {{0, 1, 2}, model, {0, 2, 2}};
        std::shuffle(all.begin(), all.end(), random_);
        for (const AxisRef& axis : all) {
            const std::size_t d = one_of(shape.size());
            std::vector<AxisRef> longer = result[d];
            longer.push_back(axis);
            if (one_of(4) != 0 && shape[d] % parts_of(longer) == 0) result[d] = longer;
        }
        return result;
    }

    void add_argument() {
        const std::vector<Sizes> shapes{{8, 16}, {16, 8}, {16}, {8, 8, 8}, {16, 16}};
        const Sizes shape = shapes[one_of(shapes.size())];
        argument_axes.push_back(axes(shape));
        values_.push_back(argument(shape, on(argument_axes.back())));
    }

    ValueId emit(ComputationId where, Opcode opcode, const std::vector<ValueId>& operands, const Sizes& shape,
                 Attribute attribute = {}) {
        const std::vector<TypeId> types{array(shape, ElementType::f32)};
        return builder.value(where, {.opcode = opcode,
                                     .name = builder.name("stablehlo." + std::string{name(opcode)}),
                                     .operands = operands,
                                     .results = types,
                                     .attribute = builder.attribute(std::move(attribute)),
                                     .line = ++line});
    }

    void grow(ComputationId where, std::vector<ValueId>& values) {
        const ValueId x = values[one_of(values.size())];
        const Sizes shape = sizes(x);
        const std::size_t rank = shape.size();
        switch (one_of(12)) {
            case 0:
                return combine(where, values, x);
            case 1: {
                Resharding constraint{sharding(axes(shape))};
                values.push_back(emit(where, Opcode::reshard, {x}, shape, constraint));
                return;
            }
            case 2: {
                Sizes order(rank);
                std::iota(order.begin(), order.end(), 0);
                std::shuffle(order.begin(), order.end(), random_);
                Sizes turned;
                for (const std::int64_t d : order) turned.push_back(shape[static_cast<std::size_t>(d)]);
                values.push_back(emit(where, Opcode::transpose, {x}, turned, Dimensions{order}));
                return;
            }
            case 3:
                return reshape(where, values, x);
            case 4: {
                if (rank < 2) return;
                const std::size_t d = one_of(rank);
                Sizes kept = shape;
                kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(d));
                const ValueId zero = emit(where, Opcode::constant, {}, {});
                values.push_back(
                    emit(where, Opcode::reduce, {x, zero}, kept, Dimensions{{static_cast<std::int64_t>(d)}}));
                return;
            }
            case 5: {
                if (Numbers::count(shape) * 8 > most_elements) return;
                const std::size_t d = one_of(rank + 1);
                Sizes wide = shape;
                wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(d), 8);
                Sizes to;
                for (std::size_t i = 0; i < rank; ++i)
                    to.push_back(static_cast<std::int64_t>(i < d ? i : i + 1));
                values.push_back(emit(where, Opcode::broadcast, {x}, wide, Dimensions{to}));
                return;
            }
            case 6: {
                // Few slices: along a cut dimension devices exchange halos, which are not simulated.
                if (rank == 0 || one_of(6) != 0) return combine(where, values, x);
                const std::size_t d = one_of(rank);
                SliceRanges ranges{Sizes(rank, 0), shape, Sizes(rank, 1)};
                Sizes half = shape;
                half[d] /= 2;
                if (half[d] == 0) return;
                ranges.starts[d] = one_of(2) == 0 ? 0 : half[d];
                ranges.limits[d] = ranges.starts[d] + half[d];
                values.push_back(emit(where, Opcode::slice, {x}, half, ranges));
                return;
            }
            case 7:
                return where == main ? loop(values) : combine(where, values, x);
            case 8:
                return pair(where, values, x);
            case 9:
                return where == main ? choose(values) : pair(where, values, x);
            default:
                return multiply(where, values, x);
        }
    }

    // With another of the same shape, or with itself; or both one behind the other.
    void combine(ComputationId where, std::vector<ValueId>& values, ValueId x) {
        std::vector<ValueId> alike;
        for (const ValueId value : values)
            if (sizes(value) == sizes(x)) alike.push_back(value);
        const ValueId y = alike[one_of(alike.size())];
        const Sizes shape = sizes(x);
        if (!shape.empty() && one_of(3) == 0 && Numbers::count(shape) * 2 <= most_elements) {
            const std::size_t d = one_of(shape.size());
            Sizes both = shape;
            both[d] *= 2;
            values.push_back(
                emit(where, Opcode::concatenate, {x, y}, both, Dimensions{{static_cast<std::int64_t>(d)}}));
            return;
        }
        constexpr std::array kinds{Opcode::add, Opcode::subtract, Opcode::multiply};
        values.push_back(emit(where, kinds[one_of(kinds.size())], {x, y}, shape));
    }

    void reshape(ComputationId where, std::vector<ValueId>& values, ValueId x) {
        Sizes shape = sizes(x);
        if (shape.empty()) return;
        const std::size_t d = one_of(shape.size());
        if (one_of(2) == 0 && d + 1 < shape.size()) {
            shape[d] *= shape[d + 1];
            shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1);
        } else {
            const std::int64_t factor = std::int64_t{2} << one_of(3);
            if (shape[d] % factor != 0) return;
            shape[d] /= factor;
            shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(d), factor);
        }
        values.push_back(emit(where, Opcode::reshape, {x}, shape));
    }

    // Every pair of dimensions of one size is contracted, or a batch, or neither.
    void multiply(ComputationId where, std::vector<ValueId>& values, ValueId x) {
        const ValueId y = values[one_of(values.size())];
        const Sizes& left = sizes(x);
        const Sizes& right = sizes(y);
        DotDimensions dims;
        std::vector<bool> left_used(left.size());
        std::vector<bool> right_used(right.size());
        for (std::size_t i = 0; i < left.size(); ++i)
            for (std::size_t j = 0; j < right.size(); ++j) {
                if (left_used[i] || right_used[j] || left[i] != right[j] || one_of(3) == 0) continue;
                const bool batch = one_of(3) == 0;
                (batch ? dims.lhs_batch : dims.lhs_contracting).push_back(static_cast<std::int64_t>(i));
                (batch ? dims.rhs_batch : dims.rhs_contracting).push_back(static_cast<std::int64_t>(j));
                left_used[i] = right_used[j] = true;
            }
        Sizes shape;
        for (const std::int64_t d : dims.lhs_batch) shape.push_back(left[static_cast<std::size_t>(d)]);
        for (std::size_t i = 0; i < left.size(); ++i)
            if (!left_used[i]) shape.push_back(left[i]);
        for (std::size_t j = 0; j < right.size(); ++j)
            if (!right_used[j]) shape.push_back(right[j]);
        if (Numbers::count(shape) > most_elements || shape.size() > 5) return;
        values.push_back(emit(where, Opcode::dot, {x, y}, shape, dims));
    }

    // Two values in a tuple that lies otherwise than they do, and taken out of it to lie otherwise again.
    void pair(ComputationId where, std::vector<ValueId>& values, ValueId x) {
        const std::vector<ValueId> both{x, values[one_of(values.size())]};
        Type type;
        type.kind = Type::Kind::tuple;
        std::vector<Sharding> leaves;
        for (const ValueId value : both) {
            type.members.push_back(program.type_of(value));
            leaves.push_back(sharding(axes(sizes(value))));
        }
        const std::array types{program.types.add(type)};
        const ValueId tuple = builder.value(
            where, {.opcode = Opcode::tuple, .operands = both, .results = types, .line = ++line});
        if (one_of(2) == 0) program.values[tuple.index()].sharding = builder.sharding(leaves);
        for (std::size_t i = 0; i < both.size(); ++i) {
            const Index element{static_cast<std::int64_t>(i)};
            values.push_back(emit(where, Opcode::get_tuple_element, {tuple}, sizes(both[i]), element));
            if (one_of(2) == 0) program.values[values.back().index()].sharding = on(axes(sizes(both[i])));
        }
    }

    // HLO's choice: each branch has an argument of its own.
    void choose(std::vector<ValueId>& values) {
        const ValueId x = values[one_of(values.size())];
        const ValueId which = emit(main, Opcode::constant, {}, {});
        std::vector<ComputationId> branches;
        for (int i = 0; i < 2; ++i) {
            branches.push_back(builder.computation("branch", ++line));
            const ValueId inside = builder.argument(branches.back(), program.type_of(x));
            if (one_of(2) == 0) program.values[inside.index()].sharding = on(axes(sizes(x)));
            std::vector<ValueId> inner{inside};
            for (int k = 0; k < 2; ++k) grow(branches.back(), inner);
            ValueId other = inside;
            for (const ValueId value : inner)
                if (sizes(value) == sizes(x)) other = value;
            builder.results(branches.back(),
                            std::array{emit(branches.back(), Opcode::add, {inside, other}, sizes(x))});
        }
        const std::array operands{which, x, x};
        const std::array types{program.type_of(x)};
        values.push_back(builder.value(main, {.opcode = Opcode::conditional,
                                              .operands = operands,
                                              .results = types,
                                              .called = branches,
                                              .line = ++line}));
    }

    // Three rounds of a body that sees the values around it.
    void loop(std::vector<ValueId>& values) {
        const ValueId x = values[one_of(values.size())];
        const TypeId type = program.type_of(x);
        const ComputationId condition = builder.computation("condition", ++line);
        builder.argument(condition, type);
        builder.results(condition, {});
        const ComputationId body = builder.computation("body", ++line);
        const ValueId carried = builder.argument(body, type);
        std::vector<ValueId> inner = values;
        inner.push_back(carried);
        for (int i = 0; i < 3; ++i) grow(body, inner);
        ValueId next = carried;
        for (const ValueId value : inner)
            if (sizes(value) == sizes(x)) next = value;
        const ValueId result = emit(body, Opcode::add, {carried, next}, sizes(x));
        builder.results(body, std::vector{result});
        const std::vector<ValueId> operands{x};
        const std::vector<TypeId> types{type};
        const std::vector<ComputationId> called{condition, body};
        values.push_back(builder.value(main, {.opcode = Opcode::while_loop,
                                              .name = builder.name("stablehlo.while"),
                                              .operands = operands,
                                              .results = types,
                                              .called = called,
                                              .attribute = builder.attribute(Loop{3}),
                                              .line = ++line}));
    }

    std::mt19937_64 random_;
    std::vector<ValueId> values_;
};

}  // namespace dse::ir::test
