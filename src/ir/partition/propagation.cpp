#include "ir/partition/propagation.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

// Axes of one factor that several arrays bring: the longest, as far as all agree.
Axes merged(const std::vector<const Axes*>& brought) {
    const Axes* longest = brought.front();
    for (const Axes* axes : brought)
        if (product(*axes) > product(*longest)) longest = axes;
    Axes agreed = *longest;
    for (const Axes* axes : brought)
        if (!is_prefix(*axes, *longest)) agreed = common_prefix(agreed, *axes);
    return agreed;
}

class Spreading {
  public:
    Spreading(const Relation& relation, const Slots& slots, std::vector<SlotLayout>& layouts)
        : relation_{relation}, slots_{slots}, layouts_{layouts} {}

    /// \return whether anything changed
    bool once() {
        const std::vector<Axes> wanted = wanted_axes();
        bool changed = false;
        for (std::size_t t = 0; t < relation_.tensors.size(); ++t) changed |= extend(t, wanted);
        return changed;
    }

  private:
    [[nodiscard]] SlotLayout& layout(std::size_t tensor) {
        return layouts_[relation_.tensors[tensor].index()];
    }

    std::vector<Axes> wanted_axes() {
        std::vector<const Layout*> now;
        for (std::size_t t = 0; t < relation_.tensors.size(); ++t) now.push_back(&layout(t).dimensions);
        const auto axes = factor_axes(relation_, now);
        const std::size_t factors = relation_.rule.factors.size();
        std::vector<Axes> wanted(factors);
        brought_by_.assign(factors, 0.0);
        for (std::size_t f = 0; f < factors; ++f) {
            if (relation_.rule.factors[f].kind == Kind::whole) continue;
            std::vector<const Axes*> brought;
            for (std::size_t t = 0; t < relation_.tensors.size(); ++t) {
                if (axes[t][f].empty()) continue;
                brought.push_back(&axes[t][f]);
                brought_by_[f] = std::max(brought_by_[f], slots_.bytes(relation_.tensors[t]));
            }
            if (!brought.empty()) wanted[f] = merged(brought);
            if (relation_.rule.factors[f].size % product(wanted[f]) != 0) wanted[f].clear();
        }
        return wanted;
    }

    bool extend(std::size_t tensor, const std::vector<Axes>& wanted) {
        SlotLayout& now = layout(tensor);
        const FactorRule::Tensor& dimensions = relation_.factors(tensor);
        // The dimension whose factor a larger array brings chooses first.
        std::vector<std::size_t> order;
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            if (now.open[d] && !dimensions[d].empty()) order.push_back(d);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return brought_by_[dimensions[a].front()] > brought_by_[dimensions[b].front()];
        });
        bool changed = false;
        for (const std::size_t d : order) {
            const Axes now_wanted = layout_of(relation_.rule, {dimensions[d]}, wanted)[0];
            if (product(now_wanted) <= product(now.dimensions[d]) ||
                !is_prefix(now.dimensions[d], now_wanted))
                continue;
            const Axes free = usable(now, d, now_wanted);
            if (product(free) <= product(now.dimensions[d])) continue;
            now.dimensions[d] = free;
            changed = true;
        }
        return changed;
    }

    // What of `axes` no other dimension uses, up to the first that one does.
    static Axes usable(const SlotLayout& layout, std::size_t dimension, const Axes& axes) {
        Axes taken = layout.replicated;
        for (std::size_t d = 0; d < layout.dimensions.size(); ++d)
            if (d != dimension)
                taken.insert(taken.end(), layout.dimensions[d].begin(), layout.dimensions[d].end());
        return common_prefix(axes, without(axes, taken));
    }

    const Relation& relation_;
    const Slots& slots_;
    std::vector<SlotLayout>& layouts_;
    std::vector<double> brought_by_;  ///< by factor: bytes of the largest array that shards it
};

// Relations that a slot stands in, and those among them whose turn has come again.
class Agenda {
  public:
    Agenda(const std::vector<Relation>& relations, std::size_t slots) : of_slot_(slots) {
        for (std::size_t r = 0; r < relations.size(); ++r)
            for (const SlotId slot : relations[r].tensors) of_slot_[slot.index()].push_back(r);
    }
    [[nodiscard]] const std::vector<std::size_t>& around(SlotId slot) const { return of_slot_[slot.index()]; }

  private:
    std::vector<std::vector<std::size_t>> of_slot_;
};

void spread(const std::vector<Relation>& relations, const Slots& slots, std::vector<SlotLayout>& layouts,
            const Agenda& agenda, Turn turn) {
    std::vector<bool> due(relations.size(), true);
    // Forwards and backwards in turns: a layout travels far in one sweep.
    for (bool forwards = true, changed = true; changed; forwards = !forwards) {
        changed = false;
        for (std::size_t i = 0; i < relations.size(); ++i) {
            const std::size_t r = forwards ? i : relations.size() - 1 - i;
            if (!due[r] || relations[r].turn > turn) continue;
            due[r] = false;
            if (!Spreading{relations[r], slots, layouts}.once()) continue;
            changed = true;
            for (const SlotId slot : relations[r].tensors)
                for (const std::size_t other : agenda.around(slot)) due[other] = true;
        }
    }
}

}  // namespace

std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts) {
    std::vector<std::vector<Axes>> result(relation.tensors.size(),
                                          std::vector<Axes>(relation.rule.factors.size()));
    for (std::size_t t = 0; t < relation.tensors.size(); ++t) {
        const FactorRule::Tensor& dimensions = relation.factors(t);
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            Axes rest = (*layouts[t])[d];
            for (std::size_t i = 0; i < dimensions[d].size() && !rest.empty(); ++i) {
                const FactorRule::Number factor = dimensions[d][i];
                const std::int64_t size = relation.rule.factors[factor].size;
                // The last factor takes all; one before it as much as fills it, or what there is.
                if (i + 1 == dimensions[d].size() || product(rest) <= size) {
                    result[t][factor] = std::exchange(rest, {});
                } else if (auto parts = split(rest, size)) {
                    result[t][factor] = parts->first;
                    rest = parts->second;
                } else {
                    break;
                }
            }
        }
    }
    return result;
}

Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes) {
    Layout layout(tensor.size());
    for (std::size_t d = 0; d < tensor.size(); ++d) {
        for (const FactorRule::Number factor : tensor[d]) {
            layout[d].insert(layout[d].end(), axes[factor].begin(), axes[factor].end());
            if (product(axes[factor]) != rule.factors[factor].size) break;
        }
        layout[d] = normalized(layout[d]);
    }
    return layout;
}

void propagate(const std::vector<Relation>& relations, const Slots& slots, std::vector<SlotLayout>& layouts) {
    const Agenda agenda{relations, slots.size()};
    for (const Turn turn : {Turn::first, Turn::second, Turn::last})
        spread(relations, slots, layouts, agenda, turn);
}

}  // namespace dse::ir::partition
