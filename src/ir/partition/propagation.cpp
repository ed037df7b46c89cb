#include "ir/partition/propagation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

#include "ir/partition/spreading.hpp"

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

// What propagates when; each step includes the previous ones.
enum class Step : std::uint8_t { unshared, places, places_of_factors, all_but_repeating, all };
constexpr std::array steps{Step::unshared, Step::places, Step::places_of_factors, Step::all_but_repeating,
                           Step::all};

Direction allowed(const Barrier& barrier) {
    if (barrier.forwards) return barrier.backwards ? Direction::both : Direction::forward;
    return barrier.backwards ? Direction::backward : Direction::none;
}

Direction direction(const Relation& relation, Kind factor, Step step) {
    if (relation.passage == Passage::barrier) return allowed(relation.allows);
    if (step == Step::all) return Direction::both;
    if (step == Step::all_but_repeating || (step == Step::places_of_factors && factor == Kind::parallel))
        return relation.passage == Passage::repeats ? Direction::backward : Direction::both;
    if (step == Step::unshared && relation.shares_operands) return Direction::none;
    switch (relation.passage) {
        case Passage::elementwise:
        case Passage::through:
        case Passage::returns:
            return Direction::both;
        case Passage::slides:
            return Direction::forward;
        default:
            return Direction::none;
    }
}

class Spread {
  public:
    Spread(const std::vector<Relation>& relations, std::vector<SlotLayout>& layouts)
        : relations_{relations},
          layouts_{layouts},
          of_slot_(layouts.size()),
          changed_(layouts.size()),
          waiting_(relations.size()) {
        // In the order in which they go onto the stack: who makes a value last of all, its readers in theirs.
        for (std::size_t r = relations.size(); r-- > 0;) {
            if (relations[r].passage == Passage::returns) continue;
            for (std::size_t t = 0; t < relations[r].tensors.size(); ++t) {
                std::vector<std::size_t>& around = of_slot_[relations[r].tensors[t].index()];
                const bool makes = t >= relations[r].rule.operands.size();
                around.insert(makes ? around.begin() : around.end(), r);
            }
        }
    }

    void run() {
        looks_.assign(relations_.size(), {});
        for (const Step step : steps) until_settled(step);
    }

  private:
    // When a relation was looked at last, and which way layouts could pass its factors then.
    struct Look {
        std::uint64_t at{0};  ///< 0: never
        Direction parallel{Direction::none};
        Direction others{Direction::none};
    };

    // Relations in the program's order; what a change touches comes next. Results of the entry are met at the
    // beginning and at the end.
    void until_settled(Step step) {
        meet_returns();
        for (std::size_t r = relations_.size(); r-- > 0;)
            if (relations_[r].passage != Passage::returns) wait(r);
        while (!stack_.empty()) {
            const std::size_t r = stack_.back();
            stack_.pop_back();
            waiting_[r] = false;
            spread(r, step);
        }
        meet_returns();
    }

    void meet_returns() {
        for (std::size_t r = 0; r < relations_.size(); ++r)
            if (relations_[r].passage == Passage::returns) spread(r, Step::all);
        while (!stack_.empty()) {
            waiting_[stack_.back()] = false;
            stack_.pop_back();
        }
    }

    void wait(std::size_t relation) {
        if (waiting_[relation]) return;
        waiting_[relation] = true;
        stack_.push_back(relation);
    }

    void spread(std::size_t number, Step step) {
        const Relation& relation = relations_[number];
        const Look look{++clock_, direction(relation, Kind::parallel, step),
                        direction(relation, Kind::reduction, step)};
        if (look.parallel == Direction::none && look.others == Direction::none) return;
        if (is_settled(relation, looks_[number], look)) return;
        looks_[number] = look;
        now_.clear();
        bool any = false;
        for (const SlotId slot : relation.tensors) {
            now_.push_back(&layouts_[slot.index()]);
            any = any || lies_apart(*now_.back());
        }
        if (!any) return;
        directions_.clear();
        for (const FactorRule::Factor& factor : relation.rule.factors)
            directions_.push_back(factor.blocked                  ? Direction::none
                                  : factor.kind == Kind::parallel ? look.parallel
                                                                  : look.others);
        Projection projection{relation, now_};
        if (!spread_axes(projection, relation, directions_)) return;
        for (std::size_t t = 0; t < relation.tensors.size(); ++t) {
            Layout& layout = layouts_[relation.tensors[t].index()].dimensions;
            Layout wanted = projection.layout(t);
            if (wanted == layout || !goes_on(layout, wanted)) continue;
            layout = std::move(wanted);
            changed_[relation.tensors[t].index()] = clock_;
            for (const std::size_t other : of_slot_[relation.tensors[t].index()])
                if (other != number) wait(other);
        }
    }

    // Whether a look finds what the last one left: nothing has changed since, and nothing then.
    [[nodiscard]] bool is_settled(const Relation& relation, const Look& last, const Look& look) const {
        return last.at > 0 && last.parallel == look.parallel && last.others == look.others &&
               std::all_of(relation.tensors.begin(), relation.tensors.end(),
                           [&](SlotId slot) { return changed_[slot.index()] < last.at; });
    }

    // Whether no dimension loses axes: in a compound dimension, the first factor may take axes that its minor
    // factors cannot follow. Since layouts only grow, propagation terminates.
    static bool goes_on(const Layout& from, const Layout& to) {
        for (std::size_t d = 0; d < from.size(); ++d)
            if (!is_prefix(from[d], to[d])) return false;
        return true;
    }

    static bool lies_apart(const SlotLayout& layout) {
        return std::any_of(layout.dimensions.begin(), layout.dimensions.end(),
                           [](const Axes& axes) { return !axes.empty(); });
    }

    const std::vector<Relation>& relations_;
    std::vector<SlotLayout>& layouts_;
    std::vector<std::vector<std::size_t>> of_slot_;
    std::vector<std::size_t> stack_;
    std::vector<Look> looks_;             ///< by relation
    std::uint64_t clock_{0};              ///< looks so far
    std::vector<std::uint64_t> changed_;  ///< by slot: the look that changed it
    std::vector<bool> waiting_;           ///< by relation: it is on the stack
    std::vector<const SlotLayout*> now_;
    std::vector<Direction> directions_;
};

// Dimensions with a later priority have no axes until it is their turn, and nothing else may use these axes.
void hold_back(SlotLayout& layout) {
    for (std::size_t d = 0; d < layout.priorities.size(); ++d) {
        if (layout.priorities[d] <= 0) continue;
        layout.replicated.insert(layout.replicated.end(), layout.dimensions[d].begin(),
                                 layout.dimensions[d].end());
        layout.dimensions[d].clear();
        layout.open[d] = false;
    }
}

void release(SlotLayout& layout, const SlotLayout& stated, std::int32_t priority) {
    for (std::size_t d = 0; d < stated.priorities.size(); ++d) {
        if (stated.priorities[d] != priority) continue;
        layout.dimensions[d] = stated.dimensions[d];
        layout.open[d] = stated.open[d];
        layout.replicated = without(layout.replicated, stated.dimensions[d]);
    }
}

}  // namespace

void propagate(const std::vector<Relation>& relations, std::vector<SlotLayout>& layouts) {
    std::set<std::int32_t> later;
    for (const SlotLayout& layout : layouts)
        for (const std::int32_t priority : layout.priorities)
            if (priority > 0) later.insert(priority);
    const std::vector<SlotLayout> stated = later.empty() ? std::vector<SlotLayout>{} : layouts;
    if (!later.empty())
        for (SlotLayout& layout : layouts) hold_back(layout);
    Spread spread{relations, layouts};
    spread.run();
    for (const std::int32_t priority : later) {
        for (std::size_t s = 0; s < layouts.size(); ++s) release(layouts[s], stated[s], priority);
        spread.run();
    }
}

}  // namespace dse::ir::partition
