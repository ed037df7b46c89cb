#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dse/ir/program/program.hpp"

namespace dse::ir::test {

/// Numbers of a finite field: sums and products are exact in any order, so that results can be compared.
class Field {
  public:
    static constexpr std::int64_t prime = 1'000'003;
    static std::int64_t add(std::int64_t a, std::int64_t b) { return (a + b) % prime; }
    static std::int64_t subtract(std::int64_t a, std::int64_t b) { return (a + prime - b) % prime; }
    static std::int64_t multiply(std::int64_t a, std::int64_t b) { return a * b % prime; }
};

/// An array of field elements, row-major.
struct Numbers {
    Sizes sizes;
    std::vector<std::int64_t> data;

    explicit Numbers(Sizes shape) : sizes{std::move(shape)}, data(count(sizes), 0) {}

    static std::size_t count(const Sizes& sizes) {
        return static_cast<std::size_t>(
            std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>{}));
    }
    [[nodiscard]] std::size_t place(const Sizes& at) const {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < sizes.size(); ++d) place = place * sizes[d] + at[d];
        return static_cast<std::size_t>(place);
    }
    [[nodiscard]] std::int64_t at(const Sizes& index) const { return data.at(place(index)); }

    /// An array whose elements are those of this one at f(index).
    template <class F>
    [[nodiscard]] Numbers taken(const Sizes& shape, F from) const {
        Numbers result{shape};
        for_each(shape, [&](const Sizes& index) { result.data[result.place(index)] = at(from(index)); });
        return result;
    }
    /// `size` elements of a dimension, beginning at `first`.
    [[nodiscard]] Numbers part(std::size_t dimension, std::int64_t first, std::int64_t size) const {
        Sizes shape = sizes;
        shape[dimension] = size;
        return taken(shape, [&](Sizes index) {
            index[dimension] += first;
            return index;
        });
    }
    template <class F>
    static void for_each(const Sizes& shape, F visit) {
        Sizes index(shape.size(), 0);
        for (std::size_t i = 0; i < count(shape); ++i) {
            visit(std::as_const(index));
            for (std::size_t d = shape.size(); d-- > 0;) {
                if (++index[d] < shape[d]) break;
                index[d] = 0;
            }
        }
    }
    friend bool operator==(const Numbers&, const Numbers&) = default;
};

inline Numbers joined(const std::vector<const Numbers*>& parts, std::size_t dimension) {
    Sizes shape = parts.front()->sizes;
    shape[dimension] = 0;
    for (const Numbers* part : parts) shape[dimension] += part->sizes[dimension];
    Numbers result{shape};
    std::int64_t first = 0;
    for (const Numbers* part : parts) {
        Numbers::for_each(part->sizes, [&](Sizes index) {
            const std::int64_t element = part->at(index);
            index[dimension] += first;
            result.data[result.place(index)] = element;
        });
        first += part->sizes[dimension];
    }
    return result;
}

/// A dimension was cut into more parts than divide it: the last shards are padded, and nothing says with
/// what.
struct UnevenShards {};

/// Devices sent each other the borders of their parts: nothing says where each takes its own from.
struct ExchangedHalos {};

/// Runs a program on some devices at once: what each has of every value.
class SimulatedDevices {
  public:
    using Everywhere = std::vector<Numbers>;  ///< by device

    SimulatedDevices(const Program& program, std::size_t devices) : program_{program}, devices_{devices} {}

    /// \param arguments  of the entry \return its results \throws UnevenShards, ExchangedHalos
    std::vector<Everywhere> run(const std::vector<Everywhere>& arguments) {
        values_.assign(program_.values.size(), {});
        return computed(program_.entry, arguments);
    }

  private:
    std::vector<Everywhere> computed(ComputationId id, const std::vector<Everywhere>& arguments) {
        const Computation& computation = program_[id];
        for (std::size_t i = 0; i < arguments.size(); ++i)
            values_[computation.arguments[i].index()] = arguments[i];
        for (const Operation& operation : computation.operations) compute(operation);
        std::vector<Everywhere> results;
        for (const ValueId result : computation.results) results.push_back(values_[result.index()]);
        return results;
    }

    [[nodiscard]] std::vector<Everywhere> operands(const Operation& operation) const {
        std::vector<Everywhere> result;
        for (const ValueId operand : program_.operands(operation)) result.push_back(values_[operand.index()]);
        return result;
    }

    void compute(const Operation& operation) {
        const std::vector<Everywhere> in = operands(operation);
        if (operation.opcode == Opcode::while_loop) {
            std::vector<Everywhere> carried = in;
            const auto* loop = program_.attribute_if<Loop>(operation);
            for (std::int64_t i = 0; i < loop->trip_count; ++i)
                carried = computed(program_.called(operation)[1], carried);
            for (std::size_t i = 0; i < carried.size(); ++i)
                values_[Program::result(operation, i).index()] = carried[i];
            return;
        }
        if (operation.opcode == Opcode::conditional) {
            const auto called = program_.called(operation);
            const auto branch = std::min(static_cast<std::size_t>(in[0][0].data[0]), called.size() - 1);
            values_[Program::result(operation).index()] = computed(called[branch], {in[branch + 1]})[0];
            return;
        }
        if (operation.opcode == Opcode::tuple) {
            elements_[Program::result(operation)] = in;
            return;
        }
        const Sizes& sizes = program_.types[program_.type_of(Program::result(operation))].sizes;
        Everywhere result;
        if (operation.opcode == Opcode::get_tuple_element)
            result = elements_.at(program_.operands(operation)[0])
                         .at(static_cast<std::size_t>(program_.attribute_if<Index>(operation)->number));
        else if (opcode_class(operation.opcode) == OpcodeClass::communication)
            result = exchanged(operation, in[0]);
        else if (const auto* part = program_.attribute_if<OwnPart>(operation))
            result = operation.opcode == Opcode::dynamic_slice ? own_parts(*part, in[0])
                                                               : among_zeros(*part, in[0], sizes);
        else
            for (std::size_t device = 0; device < devices_; ++device)
                result.push_back(alone(operation, in, device));
        for (const Numbers& numbers : result)
            if (numbers.sizes != sizes)
                throw std::logic_error("the " + std::string{name(operation.opcode)} + " of line " +
                                       std::to_string(operation.line) +
                                       " has not the shape that its type says");
        values_[Program::result(operation).index()] = std::move(result);
    }

    // Each device by itself.
    [[nodiscard]] Numbers alone(const Operation& operation, const std::vector<Everywhere>& in,
                                std::size_t device) const {
        const Sizes& shape = program_.types[program_.type_of(Program::result(operation))].sizes;
        const auto of = [&](std::size_t i) -> const Numbers& { return in[i][device]; };
        const auto numbers = [&] { return program_.attribute_if<Dimensions>(operation)->numbers; };
        switch (operation.opcode) {
            case Opcode::add:
                return each(of(0), of(1), Field::add);
            case Opcode::subtract:
                return each(of(0), of(1), Field::subtract);
            case Opcode::multiply:
                return each(of(0), of(1), Field::multiply);
            case Opcode::sharding_constraint:
            case Opcode::reshard:
                return of(0);
            case Opcode::constant: {
                Numbers result{shape};
                std::fill(result.data.begin(), result.data.end(), 3);
                return result;
            }
            case Opcode::reshape: {
                Numbers result{shape};
                result.data = of(0).data;
                if (Numbers::count(shape) != result.data.size())
                    throw std::logic_error("reshaped to another size");
                return result;
            }
            case Opcode::transpose:
            case Opcode::broadcast: {
                const Sizes to = numbers();
                return of(0).taken(shape, [&](const Sizes& index) {
                    Sizes from(of(0).sizes.size());
                    for (std::size_t d = 0; d < to.size(); ++d) {
                        const auto other = static_cast<std::size_t>(to[d]);
                        if (operation.opcode == Opcode::transpose)
                            from[other] = index[d];
                        else
                            from[d] = index[other];
                    }
                    return from;
                });
            }
            case Opcode::reduce:
                return reduced(of(0), shape, numbers());
            case Opcode::slice: {
                const auto* ranges = program_.attribute_if<SliceRanges>(operation);
                return of(0).taken(shape, [&](Sizes index) {
                    for (std::size_t d = 0; d < index.size(); ++d)
                        index[d] = ranges->starts[d] + index[d] * ranges->strides[d];
                    return index;
                });
            }
            case Opcode::concatenate: {
                std::vector<const Numbers*> parts;
                for (std::size_t i = 0; i < in.size(); ++i) parts.push_back(&of(i));
                return joined(parts, static_cast<std::size_t>(numbers().front()));
            }
            case Opcode::dynamic_slice:
                throw ExchangedHalos{};
            case Opcode::dot:
                return product(*program_.attribute_if<DotDimensions>(operation), of(0), of(1), shape);
            default:
                throw std::logic_error("not simulated: " + std::string{name(operation.opcode)});
        }
    }

    template <class F>
    static Numbers each(const Numbers& a, const Numbers& b, F combine) {
        if (a.sizes != b.sizes) throw std::logic_error("operands of two shapes");
        Numbers result{a.sizes};
        for (std::size_t i = 0; i < a.data.size(); ++i) result.data[i] = combine(a.data[i], b.data[i]);
        return result;
    }

    static Numbers reduced(const Numbers& in, const Sizes& shape, const Sizes& over) {
        Numbers result{shape};
        Numbers::for_each(in.sizes, [&](const Sizes& index) {
            Sizes kept;
            for (std::size_t d = 0; d < index.size(); ++d)
                if (std::find(over.begin(), over.end(), static_cast<std::int64_t>(d)) == over.end())
                    kept.push_back(index[d]);
            std::int64_t& sum = result.data[result.place(kept)];
            sum = Field::add(sum, in.at(index));
        });
        return result;
    }

    static Numbers product(const DotDimensions& dims, const Numbers& lhs, const Numbers& rhs,
                           const Sizes& shape) {
        const auto is_in = [](const Sizes& list, std::size_t d) {
            return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
        };
        Sizes contracted;
        for (const std::int64_t d : dims.lhs_contracting)
            contracted.push_back(lhs.sizes[static_cast<std::size_t>(d)]);
        Numbers result{shape};
        Numbers::for_each(shape, [&](const Sizes& index) {
            Sizes left(lhs.sizes.size());
            Sizes right(rhs.sizes.size());
            std::size_t next = 0;
            for (std::size_t b = 0; b < dims.lhs_batch.size(); ++b, ++next)
                left[static_cast<std::size_t>(dims.lhs_batch[b])] =
                    right[static_cast<std::size_t>(dims.rhs_batch[b])] = index[next];
            for (std::size_t d = 0; d < left.size(); ++d)
                if (!is_in(dims.lhs_batch, d) && !is_in(dims.lhs_contracting, d)) left[d] = index[next++];
            for (std::size_t d = 0; d < right.size(); ++d)
                if (!is_in(dims.rhs_batch, d) && !is_in(dims.rhs_contracting, d)) right[d] = index[next++];
            std::int64_t sum = 0;
            Numbers::for_each(contracted, [&](const Sizes& k) {
                for (std::size_t c = 0; c < k.size(); ++c)
                    left[static_cast<std::size_t>(dims.lhs_contracting[c])] =
                        right[static_cast<std::size_t>(dims.rhs_contracting[c])] = k[c];
                sum = Field::add(sum, Field::multiply(lhs.at(left), rhs.at(right)));
            });
            result.data[result.place(index)] = sum;
        });
        return result;
    }

    // Groups together.
    [[nodiscard]] Everywhere exchanged(const Operation& operation, const Everywhere& in) const {
        const auto& communication = *program_.attribute_if<Communication>(operation);
        Everywhere out = in;
        if (operation.opcode == Opcode::collective_permute) {
            // Of a partitioner's permutation: who is sent nothing keeps its own.
            for (const auto& [source, target] : communication.pairs)
                out[static_cast<std::size_t>(target)] = in[static_cast<std::size_t>(source)];
            return out;
        }
        const auto dimension = static_cast<std::size_t>(communication.dimension);
        for (const auto& group : communication.groups.members(static_cast<std::int64_t>(devices_))) {
            std::vector<const Numbers*> all;
            for (const std::int64_t member : group) all.push_back(&in[static_cast<std::size_t>(member)]);
            for (std::size_t i = 0; i < group.size(); ++i) {
                Numbers& mine = out[static_cast<std::size_t>(group[i])];
                if (operation.opcode == Opcode::all_gather) mine = joined(all, dimension);
                if (operation.opcode == Opcode::all_reduce) mine = sum(all);
                if (operation.opcode == Opcode::reduce_scatter)
                    mine = share(sum(all), dimension, i, group.size());
                if (operation.opcode == Opcode::all_to_all) {
                    std::vector<Numbers> parts;
                    for (const Numbers* one : all) parts.push_back(share(*one, dimension, i, group.size()));
                    std::vector<const Numbers*> received;
                    for (const Numbers& part : parts) received.push_back(&part);
                    mine = joined(received, static_cast<std::size_t>(communication.concat_dimension));
                }
            }
        }
        return out;
    }

    static Numbers sum(const std::vector<const Numbers*>& all) {
        Numbers result = *all.front();
        for (std::size_t i = 1; i < all.size(); ++i) result = each(result, *all[i], Field::add);
        return result;
    }

    static Numbers share(const Numbers& whole, std::size_t dimension, std::size_t i, std::size_t parts) {
        const auto count = static_cast<std::int64_t>(parts);
        if (whole.sizes[dimension] % count != 0) throw UnevenShards{};
        const std::int64_t size = whole.sizes[dimension] / count;
        return whole.part(dimension, static_cast<std::int64_t>(i) * size, size);
    }

    [[nodiscard]] Everywhere own_parts(const OwnPart& part, const Everywhere& in) const {
        Everywhere out = in;
        for (const auto& group : part.groups.members(static_cast<std::int64_t>(devices_)))
            for (std::size_t i = 0; i < group.size(); ++i) {
                const auto device = static_cast<std::size_t>(group[i]);
                out[device] = share(in[device], static_cast<std::size_t>(part.dimension), i, group.size());
            }
        return out;
    }

    [[nodiscard]] Everywhere among_zeros(const OwnPart& part, const Everywhere& in,
                                         const Sizes& sizes) const {
        Everywhere out = in;
        const auto dimension = static_cast<std::size_t>(part.dimension);
        for (const auto& group : part.groups.members(static_cast<std::int64_t>(devices_)))
            for (std::size_t i = 0; i < group.size(); ++i) {
                const Numbers& own = in[static_cast<std::size_t>(group[i])];
                const Numbers zeros{own.sizes};
                std::vector<const Numbers*> all(group.size(), &zeros);
                all[i] = &own;
                Numbers& mine = out[static_cast<std::size_t>(group[i])];
                mine = joined(all, dimension);
                if (mine.sizes != sizes) throw UnevenShards{};
            }
        return out;
    }

    const Program& program_;
    std::size_t devices_;
    std::vector<Everywhere> values_;
    std::map<ValueId, std::vector<Everywhere>> elements_;  ///< of tuples
};

}  // namespace dse::ir::test
