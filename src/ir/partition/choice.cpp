#include "ir/partition/choice.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "ir/partition/reshard.hpp"

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

// Limit on the ways to try, above that of any operation in a sensible program. The best one so far is used
// when it is reached.
constexpr int most_ways = 20000;
// Number of layouts per array whose bytes are cached; a longer search would take more time than recomputing
// them.
constexpr std::size_t most_known = 32;

bool is_at_hand(const Placed& array, const Layout& layout) {
    return array.anywhere || layout == *array.layout ||
           std::find(array.at_hand.begin(), array.at_hand.end(), layout) != array.at_hand.end();
}

/// Bytes that a device sends for one array that is needed in a layout; for a result, the layout it is
/// produced in.
double sent_bytes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                  std::size_t array, const Layout& needed, const Axes& partial) {
    const Layout& lies = *placed[array].layout;
    const double bytes = slots.bytes(relation.tensors[array]);
    if (array >= relation.rule().operands.size())
        return sent_bytes(reshard_steps(needed, lies, partial), bytes, needed);
    return is_at_hand(placed[array], needed) ? 0 : sent_bytes(reshard_steps(lies, needed), bytes, lies);
}

class Choice {
  public:
    Choice(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed, Aim aim)
        : relation_{relation}, slots_{slots}, placed_{placed}, aim_{aim} {
        std::vector<const Layout*> layouts;
        layouts.reserve(placed.size());
        for (const Placed& array : placed) layouts.push_back(array.layout);
        brought_ = factor_axes(relation, layouts);
    }

    std::vector<Axes> made() {
        const std::size_t factors = relation_.rule().factors.size();
        way_.resize(factors);
        if (agreed()) return std::move(way_);
        for (std::size_t f = 0; f < factors; ++f) candidates_.push_back(candidates(f));
        known_.resize(placed_.size());
        way_.assign(factors, {});
        take_if_better();  // everything replicated: this is always possible
        try_from(0);
        way_ = std::move(best_way_);
        return std::move(way_);
    }

  private:
    struct Merit {
        double parts{1};
        double sent{0};
    };
    // Moving a small vector may allocate, which Boost declares not to throw.
    // NOLINTNEXTLINE(bugprone-exception-escape)
    struct Sent {
        Layout needed;
        Axes partial;
        double bytes;
    };

    // The axes that arrays have for a factor, and their prefixes, longest first; the empty one is last.
    [[nodiscard]] std::vector<Axes> candidates(std::size_t factor) const {
        std::vector<Axes> result;
        if (is_computed_apart(relation_.rule().factors[factor].kind))
            for (const auto& array : brought_)
                for (Axes axes = array[factor]; !axes.empty(); axes.pop_back())
                    if (std::find(result.begin(), result.end(), axes) == result.end() &&
                        divides(factor, parts_of(axes)))
                        result.push_back(axes);
        std::stable_sort(result.begin(), result.end(),
                         [](const Axes& a, const Axes& b) { return parts_of(a) > parts_of(b); });
        result.emplace_back();
        return result;
    }

    // The first of the candidates: the longest axes that any array has; if several do, those of the first
    // array.
    [[nodiscard]] Axes longest(std::size_t factor) const {
        const Axes* result = nullptr;
        std::size_t count = 0;
        std::int64_t parts = 1;
        if (!is_computed_apart(relation_.rule().factors[factor].kind)) return {};
        for (const auto& array : brought_) {
            const Axes& axes = array[factor];
            std::int64_t own = parts_of(axes);
            std::size_t taken = axes.size();
            for (; taken > 0 && own > parts && !divides(factor, own); --taken) own /= axes[taken - 1].size;
            if (taken == 0 || own <= parts) continue;
            result = &axes;
            count = taken;
            parts = own;
        }
        return result == nullptr
                   ? Axes{}
                   : Axes(result->begin(), result->begin() + static_cast<std::ptrdiff_t>(count));
    }

    // A part of a compound dimension cannot be padded.
    [[nodiscard]] bool divides(std::size_t factor, std::int64_t parts) const {
        return !stands_in_product(factor) || relation_.rule().factors[factor].size % parts == 0;
    }

    [[nodiscard]] bool stands_in_product(std::size_t factor) const {
        for (std::size_t t = 0; t < relation_.tensors.size(); ++t)
            for (const auto& dimension : relation_.factors(t))
                if (dimension.size() > 1 &&
                    std::find(dimension.begin(), dimension.end(), factor) != dimension.end())
                    return true;
        return false;
    }

    // The common case: every array already has the layout given by the longest axes of its factors.
    [[nodiscard]] bool agreed() {
        for (std::size_t f = 0; f < way_.size(); ++f) {
            Axes axes = longest(f);
            if (!free(f, axes)) return way_.assign(way_.size(), {}), false;
            way_[f] = std::move(axes);
        }
        for (std::size_t t = 0; t < placed_.size(); ++t)
            if (!lies_as(*placed_[t].layout, relation_.rule(), relation_.factors(t), way_))
                return way_.assign(way_.size(), {}), false;
        if (!holds_together()) return way_.assign(way_.size(), {}), false;
        return partial_axes(relation_.rule(), way_).empty();
    }

    // In a compound dimension, a factor may only be divided if those before it are divided into single
    // elements.
    [[nodiscard]] bool holds_together() const {
        for (std::size_t t = 0; t < relation_.tensors.size(); ++t)
            for (const auto& dimension : relation_.factors(t)) {
                bool goes_on = true;
                for (const FactorRule::Number factor : dimension) {
                    if (!goes_on && !way_[factor].empty()) return false;
                    goes_on = goes_on && parts_of(way_[factor]) == relation_.rule().factors[factor].size;
                }
            }
        return true;
    }

    // Whether no earlier factor uses a part of these axes.
    [[nodiscard]] bool free(std::size_t factor, const Axes& axes) const {
        return std::all_of(
            way_.begin(), way_.begin() + static_cast<std::ptrdiff_t>(factor), [&axes](const Axes& taken) {
                return std::none_of(taken.begin(), taken.end(),
                                    [&axes](const AxisRef& axis) { return overlap(axes, axis); });
            });
    }

    void try_from(std::size_t factor) {
        if (ways_ >= most_ways) return;
        if (factor < way_.size()) {
            for (const Axes& axes : candidates_[factor]) {
                if (!free(factor, axes)) continue;
                way_[factor] = axes;
                try_from(factor + 1);
            }
            way_[factor].clear();
            return;
        }
        ++ways_;
        if (holds_together()) take_if_better();
    }

    void take_if_better() {
        const Merit merit = merit_of_way();
        if (best_ && !better(merit, *best_)) return;
        best_ = merit;
        best_way_ = way_;
    }

    [[nodiscard]] bool better(const Merit& a, const Merit& b) const {
        const auto less_sent = std::pair{a.sent, -a.parts} < std::pair{b.sent, -b.parts};
        const auto more_parts = std::pair{-a.parts, a.sent} < std::pair{-b.parts, b.sent};
        return aim_ == Aim::traffic ? less_sent : more_parts;
    }

    [[nodiscard]] Merit merit_of_way() {
        Merit merit;
        for (const Axes& axes : way_) merit.parts *= static_cast<double>(parts_of(axes));
        const Axes partial = partial_axes(relation_.rule(), way_);
        for (std::size_t t = 0; t < placed_.size(); ++t) merit.sent += sent_for(t, partial);
        return merit;
    }

    // Cached, since many ways need an array in the same layout.
    double sent_for(std::size_t t, const Axes& partial) {
        const FactorRule::Tensor& factors = relation_.factors(t);
        for (const Sent& known : known_[t])
            if (known.partial == partial && lies_as(known.needed, relation_.rule(), factors, way_))
                return known.bytes;
        Layout needed = layout_of(relation_.rule(), factors, way_);
        const double bytes = sent_bytes(relation_, slots_, placed_, t, needed, partial);
        if (known_[t].size() < most_known) known_[t].push_back({std::move(needed), partial, bytes});
        return bytes;
    }

    const Relation& relation_;
    const Slots& slots_;
    const std::vector<Placed>& placed_;
    Aim aim_;
    std::vector<std::vector<Axes>> brought_;     ///< by array, then factor
    std::vector<std::vector<Axes>> candidates_;  ///< by factor
    std::vector<std::vector<Sent>> known_;       ///< by array
    std::vector<Axes> way_;                      ///< by factor; the way being tried
    std::vector<Axes> best_way_;
    std::optional<Merit> best_;
    int ways_{0};
};

}  // namespace

Aim aim_of(Opcode opcode) {
    switch (opcode_class(opcode)) {
        case OpcodeClass::elementwise:
        case OpcodeClass::transcendental:
        case OpcodeClass::movement:
            return Aim::traffic;
        default:
            return Aim::parallelism;
    }
}

std::vector<Axes> chosen_axes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                              Aim aim) {
    return Choice{relation, slots, placed, aim}.made();
}

double sent_bytes(const Relation& relation, const Slots& slots, const std::vector<Placed>& placed,
                  const std::vector<Axes>& axes) {
    const Axes partial = partial_axes(relation.rule(), axes);
    double sent = 0;
    for (std::size_t t = 0; t < placed.size(); ++t)
        sent += sent_bytes(relation, slots, placed, t, layout_of(relation.rule(), relation.factors(t), axes),
                           partial);
    return sent;
}

Axes partial_axes(const FactorRule& rule, const std::vector<Axes>& axes) {
    Axes partial;
    for (std::size_t f = 0; f < rule.factors.size(); ++f)
        if (rule.factors[f].kind == Kind::reduction)
            partial.insert(partial.end(), axes[f].begin(), axes[f].end());
    return partial;
}

}  // namespace dse::ir::partition
