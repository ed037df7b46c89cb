#include "ir/partition/spreading.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <tuple>

#include <boost/container/small_vector.hpp>

namespace dse::ir::partition {
namespace {

// The axes that arrays agree on for a factor, merged one by one: the longest ones, as long as all are
// prefixes of each other.
class Agreement {
  public:
    /// \param axes  must outlive this object
    void meet(const Axes& axes) {
        if (axes.empty() || is_prefix(axes, *axes_)) return;
        if (!axes_->empty() && !is_prefix(*axes_, axes)) {
            prefix_ = common_prefix(*axes_, axes);
            axes_ = &prefix_;
            may_grow_ = false;
        } else if (may_grow_) {
            axes_ = &axes;
        }
    }
    void stop_growing() { may_grow_ = false; }
    [[nodiscard]] const Axes& axes() const { return *axes_; }

  private:
    Axes prefix_;
    const Axes* axes_{&prefix_};
    bool may_grow_{true};
};

// Only operands contribute axes forwards, only results backwards; the others may still contradict.
Axes agreed_axes(const Projection& projection, const Relation& relation, std::size_t factor,
                 Direction direction) {
    if (direction == Direction::none) return {};
    if (std::none_of(
            projection.arrays().begin(), projection.arrays().end(),
            [factor](const Projection::Array& array) { return !array.factors[factor].axes.empty(); }))
        return {};
    Agreement agreement;
    const std::size_t operands = relation.rule().operands.size();
    const std::size_t all = projection.arrays().size();
    const auto meet = [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
            const FactorShard& shard = projection.arrays()[t].factors[factor];
            if (shard.present) agreement.meet(shard.axes);
        }
    };
    const bool backward = direction == Direction::backward;
    meet(backward ? operands : 0, backward ? all : operands);
    if (direction != Direction::both) agreement.stop_growing();
    meet(backward ? 0 : operands, backward ? operands : all);
    return agreement.axes();
}

// The part of `axes` that can divide the factor's size. Axes that the factor already has are kept.
Axes dividing(const Axes& axes, const Axes& has, std::int64_t size) {
    Axes result;
    std::int64_t parts = 1;
    for (const AxisRef& axis : axes) {
        AxisRef taken = axis;
        if (!within({axis}, has).empty() && without({axis}, has).empty()) {
            parts *= axis.size;
        } else {
            if (size % parts != 0) break;
            taken.size = std::gcd(size / parts, axis.size);
            if (taken.size == 1) break;
            parts *= taken.size;
        }
        result.push_back(taken);
        if (taken.size != axis.size) break;
    }
    return result;
}

// The part of `axes` that the array's factor can take, regardless of its other factors.
Axes fitting(Axes axes, const Projection::Array& array, const FactorShard& shard, std::int64_t size) {
    if (!array.replicated.empty()) axes = common_prefix(axes, without(axes, array.replicated));
    if (!shard.present) return axes;
    if (shard.closed || !shard.overflow.empty()) return common_prefix(axes, shard.axes);
    return shard.minor_most ? axes : dividing(axes, shard.axes, size);
}

// The part of `axes` that no other factor of the array has.
Axes undisputed(Axes axes, const Projection::Array& array, std::size_t factor) {
    for (std::size_t other = 0; other < array.factors.size(); ++other) {
        if (other == factor) continue;
        for (const Axes* taken : {&array.factors[other].overflow, &array.factors[other].axes})
            if (!taken->empty()) axes = common_prefix(axes, without(axes, *taken));
    }
    return axes;
}

using FactorOrder = boost::container::small_vector<std::size_t, 6>;

// Factors in order of their precedence for disputed axes.
FactorOrder by_precedence(const Projection& projection, const Relation& relation,
                          std::span<const Axes> wanted) {
    struct Bringer {
        double elements{-1};
        std::size_t array{~std::size_t{0}};
    };
    boost::container::small_vector<Bringer, 6> bringers(wanted.size());
    for (std::size_t t = 0; t < projection.arrays().size(); ++t) {
        double elements = 1;
        for (const auto& dimension : relation.factors(t))
            for (const FactorRule::Number factor : dimension)
                elements *= static_cast<double>(relation.rule().factors[factor].size);
        for (std::size_t f = 0; f < wanted.size(); ++f) {
            const FactorShard& shard = projection.arrays()[t].factors[f];
            const bool brings = shard.present && !wanted[f].empty() && is_prefix(wanted[f], shard.axes);
            if (brings && elements > bringers[f].elements) bringers[f] = {elements, t};
        }
    }
    FactorOrder order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t f) {
        const std::int64_t parts = relation.passage == Passage::elementwise ? parts_of(wanted[f]) : 0;
        return std::tuple{-bringers[f].elements, -parts, bringers[f].array, f};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

// An operand of an element-wise operation takes no more axes than the results do: it would have to be moved
// back.
Axes as_far_as_results(Axes axes, const Projection& projection, const Relation& relation,
                       std::size_t factor) {
    if (relation.passage != Passage::elementwise) return axes;
    for (std::size_t t = relation.rule().operands.size(); t < projection.arrays().size(); ++t) {
        const FactorShard& shard = projection.arrays()[t].factors[factor];
        if (shard.present && is_prefix(shard.axes, axes)) axes = shard.axes;
    }
    return axes;
}

// Whether a factor could get more axes than it has. The axes that fit are never longer than those wanted.
bool is_longer(const Axes& wanted, const FactorShard& shard) {
    return shard.present && parts_of(wanted) > parts_of(shard.axes);
}

bool wants_more(const Projection& projection, std::span<const Axes> wanted) {
    for (const Projection::Array& array : projection.arrays())
        for (std::size_t f = 0; f < wanted.size(); ++f)
            if (is_longer(wanted[f], array.factors[f])) return true;
    return false;
}

}  // namespace

bool spread_axes(Projection& projection, const Relation& relation, const std::vector<Direction>& directions) {
    boost::container::small_vector<Axes, 6> wanted;
    for (std::size_t f = 0; f < directions.size(); ++f)
        wanted.push_back(agreed_axes(projection, relation, f, directions[f]));
    const std::span<const Axes> all_wanted{wanted.data(), wanted.size()};
    if (!wants_more(projection, all_wanted)) return false;
    FactorOrder order;
    for (std::size_t f = 0; f < wanted.size(); ++f)
        if (!wanted[f].empty()) order.push_back(f);
    if (order.size() > 1) order = by_precedence(projection, relation, all_wanted);
    const std::size_t operands = relation.rule().operands.size();
    bool changed = false;
    const auto extend = [&](std::size_t array) {
        for (const std::size_t f : order) {
            const FactorShard& shard = projection.arrays()[array].factors[f];
            if (!is_longer(wanted[f], shard)) continue;
            Axes axes =
                fitting(wanted[f], projection.arrays()[array], shard, relation.rule().factors[f].size);
            if (parts_of(axes) <= parts_of(shard.axes)) continue;
            axes = undisputed(axes, projection.arrays()[array], f);
            if (array < operands) axes = as_far_as_results(axes, projection, relation, f);
            changed |= projection.extend(array, f, axes);
        }
    };
    for (std::size_t t = operands; t < projection.arrays().size(); ++t) extend(t);
    for (std::size_t t = 0; t < operands; ++t) extend(t);
    return changed;
}

}  // namespace dse::ir::partition
