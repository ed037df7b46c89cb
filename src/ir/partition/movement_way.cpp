#include "ir/partition/movement_way.hpp"

#include <algorithm>
#include <cstddef>

#include "ir/partition/projection.hpp"

namespace dse::ir::partition {
namespace {

using Shards = std::vector<Axes>;  ///< by factor
using Kind = FactorRule::Kind;

class MovementWay {
  public:
    MovementWay(const Program& program, const Operation& operation, const Relation& relation,
                const std::vector<const Layout*>& layouts)
        : program_{program},
          operation_{operation},
          relation_{relation},
          layouts_{layouts},
          operands_{relation.rule().operands.size()} {}

    std::optional<Way> made() {
        switch (operation_.opcode) {
            case Opcode::broadcast:
            case Opcode::transpose:
                return as_result();
            case Opcode::reduce:
                return Way{shards(0)};
            case Opcode::reshape:
            case Opcode::bitcast:
                return reshape();
            case Opcode::concatenate:
            case Opcode::sort:
                return along_other(operands_);
            case Opcode::topk:
                return whole();
            case Opcode::slice:
                return Way{shards(tiles(*layouts_[0]) > tiles(result()) ? 0 : operands_)};
            case Opcode::pad:
                return pad();
            case Opcode::dynamic_slice:
                return dynamic_slice();
            case Opcode::dynamic_update_slice:
                return dynamic_update();
            case Opcode::copy:
                return elementwise();
            default:
                break;
        }
        const OpcodeClass family = opcode_class(operation_.opcode);
        if (family == OpcodeClass::elementwise || family == OpcodeClass::transcendental) return elementwise();
        return std::nullopt;
    }

  private:
    [[nodiscard]] const Layout& result() const { return *layouts_[operands_]; }
    [[nodiscard]] Shards shards(std::size_t array) const {
        return factor_axes(relation_, array, *layouts_[array]);
    }
    [[nodiscard]] Way as_result() const { return Way{shards(operands_)}; }
    [[nodiscard]] Way whole() const { return Way{Shards(relation_.rule().factors.size())}; }

    // Operands with equal layouts stay in place, whatever the layout of the result.
    [[nodiscard]] Way elementwise() const {
        const bool alike =
            operands_ > 1 && std::all_of(layouts_.begin(), layouts_.begin() + ends(),
                                         [this](const Layout* layout) { return *layout == *layouts_[0]; });
        return alike ? Way{shards(0)} : as_result();
    }
    [[nodiscard]] std::ptrdiff_t ends() const { return static_cast<std::ptrdiff_t>(operands_); }

    // With the result's axes if the operand can have all of them, with the operand's if the result can, else
    // with those of the operand's axes that can be kept.
    [[nodiscard]] Way reshape() const {
        for (const std::size_t array : {operands_, std::size_t{0}})
            if (tiles(passing(array)) == tiles(*layouts_[array])) return Way{passing(array)};
        return Way{passing(0)};
    }

    // The axes of an array's factors that the other array can have, too: up to the first factor of a compound
    // dimension that they do not divide completely.
    [[nodiscard]] Shards passing(std::size_t array) const {
        Shards axes = shards(array);
        for (std::size_t f = 0; f < axes.size(); ++f)
            if (relation_.rule().factors[f].kind != Kind::parallel) axes[f].clear();
        for (const std::size_t side : {std::size_t{0}, operands_})
            for (const auto& dimension : relation_.factors(side)) {
                bool open = true;
                for (std::size_t i = 0; i < dimension.size(); ++i) {
                    Axes& of_factor = axes[dimension[i]];
                    const std::int64_t size = relation_.rule().factors[dimension[i]].size;
                    if (!open || (dimension.size() > 1 && size % parts_of(of_factor) != 0)) of_factor.clear();
                    open = open && parts_of(of_factor) == size;
                }
            }
        return axes;
    }

    // Axes of a dimension that must not be partitioned (joined or sorted) move to another dimension that they
    // divide.
    [[nodiscard]] Way along_other(std::size_t array) const {
        Way way{shards(array)};
        const FactorRule::Tensor& dimensions = relation_.factors(array);
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            if (dimensions[d].size() != 1) continue;
            const FactorRule::Number factor = dimensions[d][0];
            if (relation_.rule().factors[factor].kind == Kind::parallel || way.axes[factor].empty()) continue;
            Axes moved = std::move(way.axes[factor]);
            way.axes[factor].clear();
            if (Axes* other = takes(way, dimensions, moved)) {
                other->insert(other->end(), moved.begin(), moved.end());
                *other = normalized(*other);
            }
        }
        return way;
    }

    [[nodiscard]] Axes* takes(Way& way, const FactorRule::Tensor& dimensions, const Axes& moved) const {
        for (const auto& dimension : dimensions) {
            if (dimension.size() != 1) continue;
            const FactorRule::Factor& factor = relation_.rule().factors[dimension[0]];
            Axes& axes = way.axes[dimension[0]];
            if (factor.kind == Kind::parallel && factor.size > 1 &&
                factor.size % (parts_of(axes) * parts_of(moved)) == 0)
                return &axes;
        }
        return nullptr;
    }

    // If the padded dimension is not partitioned, no elements of neighbours are needed.
    [[nodiscard]] Way pad() const {
        Way way = as_result();
        Way local = way;
        for (std::size_t f = 0; f < local.axes.size(); ++f)
            if (relation_.rule().factors[f].kind != Kind::parallel) local.axes[f].clear();
        const bool is_local =
            tiles(*layouts_[0]) == 1 ||
            layout_of(relation_.rule(), relation_.rule().operands[0], local.axes) == *layouts_[0];
        return is_local ? local : way;
    }

    // The sliced dimensions must not be partitioned; if the result's layout partitions them, the slice is
    // computed completely on every device.
    [[nodiscard]] Way dynamic_slice() const {
        Way way = as_result();
        for (std::size_t f = 0; f < way.axes.size(); ++f)
            if (relation_.rule().factors[f].kind != Kind::parallel && !way.axes[f].empty()) return whole();
        return way;
    }

    // If single elements are replaced along partitioned dimensions, each device checks whether they are its
    // own; otherwise the replaced dimensions are not partitioned.
    [[nodiscard]] Way dynamic_update() const {
        if (tiles(result()) == 1) return whole();
        const FactorRule::Tensor& array = relation_.factors(operands_);
        const FactorRule::Tensor& update = relation_.factors(1);
        const Sizes& sizes = program_.types[program_.type_of(program_.operands(operation_)[1])].sizes;
        bool any = false;
        bool single = true;
        for (std::size_t d = 0; d < array.size(); ++d) {
            if (array[d] == update[d] || result()[d].empty()) continue;
            any = true;
            single = single && sizes[d] == 1;
        }
        if (any && single) return as_result();
        Way way{shards(tiles(*layouts_[0]) > tiles(result()) ? 0 : operands_)};
        for (std::size_t d = 0; d < array.size(); ++d)
            if (array[d] != update[d])
                for (const FactorRule::Number factor : array[d]) way.axes[factor].clear();
        return way;
    }

    const Program& program_;
    const Operation& operation_;
    const Relation& relation_;
    const std::vector<const Layout*>& layouts_;
    std::size_t operands_;
};

}  // namespace

std::optional<Way> movement_way(const Program& program, const Operation& operation, const Relation& relation,
                                const std::vector<const Layout*>& layouts) {
    if (relation.rule().results.empty() || relation.rule().operands.empty()) return std::nullopt;
    return MovementWay{program, operation, relation, layouts}.made();
}

}  // namespace dse::ir::partition
