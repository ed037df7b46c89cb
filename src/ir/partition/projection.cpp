#include "ir/partition/projection.hpp"

#include <cstddef>
#include <numeric>
#include <span>
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
        const std::int64_t left = supply.fill(relation.rule().factors[numbers[i]].size, shard.axes);
        overflows = left > 1 && !supply.empty();
        if (overflows) shard.overflow = supply.take_all();
    }
}

/// \param is_open  by dimension
template <class IsOpen>
void write_shards(const Relation& relation, std::size_t array, const Layout& layout, IsOpen is_open,
                  std::vector<FactorShard>& shards) {
    shards.resize(relation.rule().factors.size());
    for (FactorShard& shard : shards) shard.clear();
    const FactorRule::Tensor& dimensions = relation.factors(array);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (dimensions[d].size() != 1) {
            hand_out(layout[d], dimensions[d], is_open(d), relation, shards);
            continue;
        }
        FactorShard& shard = shards[dimensions[d].front()];
        shard.present = shard.minor_most = true;
        shard.closed = !is_open(d);
        if (layout[d].empty()) continue;
        shard.axes = layout[d];
        if (!is_normal(shard.axes)) shard.axes = normalized(std::move(shard.axes));
    }
}

/// Axes of a dimension that is a product of factors.
/// \param axes  appends the axes of a factor to a list
template <class AxesOf>
Axes joined_axes(const FactorRule& rule, const FactorRule::Numbers& factors, AxesOf axes) {
    Axes result;
    for (const FactorRule::Number factor : factors) {
        const std::size_t before = result.size();
        axes(factor, result);
        const std::span<const AxisRef> added{result.data() + before, result.size() - before};
        if (factors.size() > 1 && ir::parts_of(added) != rule.factors[factor].size) break;
    }
    return result.empty() ? result : normalized(std::move(result));
}

/// \param axes  appends the axes of a factor to a list
template <class AxesOf>
Layout joined_layout(const FactorRule& rule, const FactorRule::Tensor& tensor, AxesOf axes) {
    Layout layout;
    layout.reserve(tensor.size());
    for (const FactorRule::Numbers& factors : tensor) layout.push_back(joined_axes(rule, factors, axes));
    return layout;
}

auto from(const std::vector<Axes>& axes) {
    return [&axes](FactorRule::Number factor, Axes& to) {
        to.insert(to.end(), axes[factor].begin(), axes[factor].end());
    };
}

}  // namespace

void Projection::read(const Relation& relation, const std::vector<const SlotLayout*>& layouts) {
    relation_ = &relation;
    count_ = relation.tensors.size();
    if (arrays_.size() < count_) arrays_.resize(count_);
    for (std::size_t t = 0; t < count_; ++t) {
        const SlotLayout& layout = *layouts[t];
        write_shards(
            relation, t, layout.dimensions, [&](std::size_t d) { return layout.open[d]; },
            arrays_[t].factors);
        arrays_[t].replicated.clear();
        if (!layout.replicated.empty()) arrays_[t].replicated = layout.replicated;
        arrays_[t].is_extended = false;
    }
}

bool Projection::agrees() const {
    for (std::size_t f = 0; f < relation_->rule().factors.size(); ++f) {
        const Axes* known = nullptr;
        for (std::size_t t = 0; t < count_; ++t) {
            const FactorShard& shard = arrays_[t].factors[f];
            if (!shard.present) continue;
            if (known != nullptr && *known != shard.axes) return false;
            known = &shard.axes;
        }
    }
    return true;
}

bool Projection::extend(std::size_t array, std::size_t factor, const Axes& axes) {
    FactorShard& shard = arrays_[array].factors[factor];
    if (!shard.present || !is_prefix(shard.axes, axes) || parts_of(axes) <= parts_of(shard.axes))
        return false;
    shard.axes = axes;
    arrays_[array].is_extended = true;
    return true;
}

Layout Projection::layout(std::size_t array) const {
    const std::vector<FactorShard>& shards = arrays_[array].factors;
    return joined_layout(relation_->rule(), relation_->factors(array),
                         [&](FactorRule::Number factor, Axes& to) {
                             for (const Axes* axes : {&shards[factor].axes, &shards[factor].overflow})
                                 to.insert(to.end(), axes->begin(), axes->end());
                         });
}

Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes) {
    return joined_layout(rule, tensor, from(axes));
}

bool lies_as(const Layout& layout, const FactorRule& rule, const FactorRule::Tensor& tensor,
             const std::vector<Axes>& axes) {
    if (layout.size() != tensor.size()) return false;
    for (std::size_t d = 0; d < tensor.size(); ++d) {
        const bool is_factor = tensor[d].size() == 1 && layout[d] == axes[tensor[d].front()];
        if (!is_factor && layout[d] != joined_axes(rule, tensor[d], from(axes))) return false;
    }
    return true;
}

std::vector<Axes> factor_axes(const Relation& relation, std::size_t array, const Layout& layout) {
    std::vector<Axes> result(relation.rule().factors.size());
    const FactorRule::Tensor& dimensions = relation.factors(array);
    std::vector<FactorShard> shards;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (layout[d].empty()) continue;
        if (dimensions[d].size() == 1) {
            Axes& axes = result[dimensions[d].front()];
            axes = layout[d];
            if (!is_normal(axes)) axes = normalized(std::move(axes));
            continue;
        }
        shards.assign(result.size(), {});
        hand_out(layout[d], dimensions[d], true, relation, shards);
        for (const FactorRule::Number factor : dimensions[d]) result[factor] = std::move(shards[factor].axes);
    }
    return result;
}

std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts) {
    std::vector<std::vector<Axes>> result(layouts.size());
    for (std::size_t t = 0; t < layouts.size(); ++t) result[t] = factor_axes(relation, t, *layouts[t]);
    return result;
}

}  // namespace dse::ir::partition
