#include "ir/partition/projection.hpp"

#include <cstddef>
#include <numeric>

namespace dse::ir::partition {
namespace {

// Axes handed out from major to minor, cut where a factor takes a part of one.
class Supply {
  public:
    explicit Supply(const Axes& axes) : rest_{axes} {}

    /// As many of the next axes as divide `size` with what was taken before. \return what of `size` is left
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

}  // namespace

Projection::Projection(const Relation& relation, const std::vector<const SlotLayout*>& layouts)
    : relation_{relation}, arrays_(relation.tensors.size()) {
    for (std::size_t t = 0; t < arrays_.size(); ++t) project(t, *layouts[t]);
}

void Projection::project(std::size_t array, const SlotLayout& layout) {
    Array& now = arrays_[array];
    now.factors.resize(relation_.rule.factors.size());
    now.replicated = layout.replicated;
    const FactorRule::Tensor& dimensions = relation_.factors(array);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        Supply supply{layout.dimensions[d]};
        bool overflows = false;
        for (std::size_t i = 0; i < dimensions[d].size(); ++i) {
            FactorShard& shard = now.factors[dimensions[d][i]];
            shard.present = true;
            shard.minor_most = i + 1 == dimensions[d].size();
            shard.closed = overflows || !layout.open[d];
            if (overflows) continue;
            if (shard.minor_most) {
                shard.axes = supply.take_all();
                continue;
            }
            const std::int64_t left = supply.fill(relation_.rule.factors[dimensions[d][i]].size, shard.axes);
            overflows = left > 1 && !supply.empty();
            if (overflows) shard.overflow = supply.take_all();
        }
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
    for (std::size_t d = 0; d < tensor.size(); ++d) {
        for (const FactorRule::Number factor : tensor[d]) {
            layout[d].insert(layout[d].end(), axes[factor].begin(), axes[factor].end());
            if (parts_of(axes[factor]) != rule.factors[factor].size) break;
        }
        layout[d] = normalized(layout[d]);
    }
    return layout;
}

std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts) {
    std::vector<SlotLayout> stated(layouts.size());
    std::vector<const SlotLayout*> arrays;
    for (std::size_t t = 0; t < layouts.size(); ++t) {
        stated[t].dimensions = *layouts[t];
        stated[t].open.assign(layouts[t]->size(), true);
        arrays.push_back(&stated[t]);
    }
    const Projection projection{relation, arrays};
    std::vector<std::vector<Axes>> result;
    for (const Projection::Array& array : projection.arrays()) {
        result.emplace_back();
        for (const FactorShard& shard : array.factors) result.back().push_back(shard.axes);
    }
    return result;
}

}  // namespace dse::ir::partition
