#include "ir/partition/projection.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace dse::ir::partition {
namespace {

// Hands out axes from major to minor, dividing an axis if a factor takes only a part of it.
class Supply {
  public:
    explicit Supply(const Axes& axes) : rest_{axes} {}

    /// Takes as many of the next axes as divide `size` together. \return the rest of `size`
    std::int64_t fill(std::int64_t size, Axes& factor) {
        while (first_ < rest_.size()) {
            AxisRef& next = rest_[first_];
            const std::int64_t common = std::gcd(size, next.size);
            if (common <= 1 && next.size != 1) break;
            factor.push_back({next.axis, next.pre_size, common});
            size /= common;
            if (common == next.size) {
                ++first_;
            } else {
                next = {next.axis, next.pre_size * common, next.size / common};
            }
        }
        factor = normalized(factor);
        return size;
    }
    [[nodiscard]] bool empty() const { return first_ == rest_.size(); }
    Axes take_all() {
        Axes all{rest_.begin() + static_cast<std::ptrdiff_t>(first_), rest_.end()};
        first_ = rest_.size();
        return normalized(all);
    }

  private:
    Axes rest_;
    std::size_t first_{0};
};

/// Distributes the axes of one compound dimension over its factors.
void hand_out(const Axes& axes, const FactorRule::Numbers& numbers, bool open, const Relation& relation,
              std::vector<FactorShard>& shards) {
    Supply supply{axes};
    bool overflows = false;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        FactorShard& shard = shards[numbers[i]];
        shard.present = true;
        shard.minor_most = i + 1 == numbers.size();
        shard.closed = overflows || !open;
        if (overflows) continue;
        if (shard.minor_most) {
            shard.axes = supply.take_all();
            continue;
        }
        const std::int64_t left = supply.fill(relation.rule.factors[numbers[i]].size, shard.axes);
        overflows = left > 1 && !supply.empty();
        if (overflows) shard.overflow = supply.take_all();
    }
}

/// \param is_open  by dimension
template <class IsOpen>
std::vector<FactorShard> shards_of(const Relation& relation, std::size_t array, const Layout& layout,
                                   IsOpen is_open) {
    std::vector<FactorShard> shards(relation.rule.factors.size());
    const FactorRule::Tensor& dimensions = relation.factors(array);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (dimensions[d].size() != 1) {
            hand_out(layout[d], dimensions[d], is_open(d), relation, shards);
            continue;
        }
        FactorShard& shard = shards[dimensions[d].front()];
        shard.present = shard.minor_most = true;
        shard.closed = !is_open(d);
        shard.axes = normalized(layout[d]);
    }
    return shards;
}

/// Of a dimension that is a product of factors.
Axes joined_axes(const FactorRule& rule, const FactorRule::Numbers& factors, const std::vector<Axes>& axes) {
    if (factors.size() == 1) return normalized(axes[factors.front()]);
    Axes result;
    for (const FactorRule::Number factor : factors) {
        result.insert(result.end(), axes[factor].begin(), axes[factor].end());
        if (parts_of(axes[factor]) != rule.factors[factor].size) break;
    }
    return normalized(std::move(result));
}

}  // namespace

Projection::Projection(const Relation& relation, const std::vector<const SlotLayout*>& layouts)
    : relation_{relation} {
    arrays_.reserve(relation.tensors.size());
    for (std::size_t t = 0; t < relation.tensors.size(); ++t) {
        const SlotLayout& layout = *layouts[t];
        arrays_.push_back(
            {shards_of(relation, t, layout.dimensions, [&](std::size_t d) { return layout.open[d]; }),
             layout.replicated});
    }
}

bool Projection::extend(std::size_t array, std::size_t factor, const Axes& axes) {
    FactorShard& shard = arrays_[array].factors[factor];
    if (!shard.present || !is_prefix(shard.axes, axes) || parts_of(axes) <= parts_of(shard.axes))
        return false;
    shard.axes = axes;
    return true;
}

Layout Projection::layout(std::size_t array) const {
    std::vector<Axes> axes;
    for (const FactorShard& shard : arrays_[array].factors) {
        axes.push_back(shard.axes);
        axes.back().insert(axes.back().end(), shard.overflow.begin(), shard.overflow.end());
    }
    return layout_of(relation_.rule, relation_.factors(array), axes);
}

Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes) {
    Layout layout(tensor.size());
    for (std::size_t d = 0; d < tensor.size(); ++d) layout[d] = joined_axes(rule, tensor[d], axes);
    return layout;
}

bool lies_as(const Layout& layout, const FactorRule& rule, const FactorRule::Tensor& tensor,
             const std::vector<Axes>& axes) {
    if (layout.size() != tensor.size()) return false;
    for (std::size_t d = 0; d < tensor.size(); ++d) {
        const bool is_factor = tensor[d].size() == 1 && layout[d] == axes[tensor[d].front()];
        if (!is_factor && layout[d] != joined_axes(rule, tensor[d], axes)) return false;
    }
    return true;
}

std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts) {
    std::vector<std::vector<Axes>> result(layouts.size());
    for (std::size_t t = 0; t < layouts.size(); ++t)
        for (FactorShard& shard : shards_of(relation, t, *layouts[t], [](std::size_t) { return true; }))
            result[t].push_back(std::move(shard.axes));
    return result;
}

}  // namespace dse::ir::partition
