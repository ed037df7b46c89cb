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

// Steps of the propagation. Each one includes what the previous ones propagate.
enum class Step : std::uint8_t { unshared, places, places_of_factors, all_but_repeating, all };
constexpr std::array steps{Step::unshared, Step::places, Step::places_of_factors, Step::all_but_repeating,
                           Step::all};

Direction allowed(const Barrier& barrier) {
    if (barrier.forwards) return barrier.backwards ? Direction::both : Direction::forward;
    return barrier.backwards ? Direction::backward : Direction::none;
}

// The properties of a relation that every step reads, kept compactly for all relations.
struct Terms {
    Passage passage;
    bool shares_operands;
    Barrier allows;
};

Direction direction(const Terms& relation, Kind factor, Step step) {
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
        : relations_{relations}, layouts_{layouts}, waiting_(relations.size()) {
        terms_.reserve(relations.size());
        for (const Relation& relation : relations)
            terms_.push_back({relation.passage, relation.shares_operands, relation.allows});
        find_neighbours();
    }

    void run() {
        looks_.assign(relations_.size(), {});
        for (const Step step : steps) until_settled(step);
    }

  private:
    // The directions in which layouts could propagate along a relation's factors at its last visit, and
    // whether one of its arrays has changed since.
    struct Look {
        Direction parallel{Direction::none};  ///< both none: not visited yet
        Direction others{Direction::none};
        bool touched{false};
        friend bool operator==(const Look&, const Look&) = default;
    };
    // Nothing would propagate in any direction until an array changes.
    static constexpr Look everywhere{Direction::both, Direction::both, false};

    // The relations of each slot in the order in which they are pushed onto the stack: first those that
    // produce the value, in program order, then its readers in reverse order.
    void find_neighbours() {
        first_.assign(layouts_.size() + 1, 0);
        const auto each = [this](std::size_t r, bool makers, auto visit) {
            if (terms_[r].passage == Passage::returns) return;
            const std::vector<SlotId>& tensors = relations_[r].tensors;
            const std::size_t operands = relations_[r].rule().operands.size();
            for (std::size_t t = makers ? operands : 0; t < (makers ? tensors.size() : operands); ++t)
                visit(tensors[t].index());
        };
        for (std::size_t r = 0; r < relations_.size(); ++r)
            for (const bool makers : {true, false})
                each(r, makers, [this](std::size_t slot) { ++first_[slot + 1]; });
        for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
        neighbours_.resize(first_.back());
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        const auto put = [&](std::size_t r, bool makers) {
            each(r, makers,
                 [&](std::size_t slot) { neighbours_[next[slot]++] = static_cast<std::uint32_t>(r); });
        };
        for (std::size_t r = 0; r < relations_.size(); ++r) put(r, true);
        for (std::size_t r = relations_.size(); r-- > 0;) put(r, false);
    }

    // Visits the relations in program order, continuing after a change with the relations it affects. The
    // entry's results are visited at the beginning and at the end.
    void until_settled(Step step) {
        meet_returns();
        for (std::size_t r = relations_.size(); r-- > 0;)
            if (terms_[r].passage != Passage::returns) wait(r);
        while (!stack_.empty()) {
            const std::uint32_t r = stack_.back();
            stack_.pop_back();
            waiting_[r] = false;
            spread(r, step);
        }
        meet_returns();
    }

    void meet_returns() {
        for (std::size_t r = 0; r < relations_.size(); ++r)
            if (terms_[r].passage == Passage::returns) spread(r, Step::all);
        while (!stack_.empty()) {
            waiting_[stack_.back()] = false;
            stack_.pop_back();
        }
    }

    void wait(std::size_t relation) {
        if (waiting_[relation]) return;
        waiting_[relation] = true;
        stack_.push_back(static_cast<std::uint32_t>(relation));
    }

    void spread(std::size_t number, Step step) {
        const Look look{direction(terms_[number], Kind::parallel, step),
                        direction(terms_[number], Kind::reduction, step)};
        if (look.parallel == Direction::none && look.others == Direction::none) return;
        Look& last = looks_[number];
        const bool is_settled = !last.touched && (last == look || last == everywhere);
        if (is_settled && terms_[number].passage != Passage::returns) return;
        last = look;
        const Relation& relation = relations_[number];
        now_.clear();
        bool any = false;
        for (const SlotId slot : relation.tensors) {
            now_.push_back(&layouts_[slot.index()]);
            any = any || lies_apart(*now_.back());
        }
        if (!any || (relation.passage == Passage::elementwise && all_lie_alike())) {
            last = everywhere;
            return;
        }
        directions_.clear();
        for (const FactorRule::Factor& factor : relation.rule().factors)
            directions_.push_back(factor.blocked                  ? Direction::none
                                  : factor.kind == Kind::parallel ? look.parallel
                                                                  : look.others);
        projection_.read(relation, now_);
        if (projection_.agrees()) {
            last = everywhere;
            return;
        }
        if (!spread_axes(projection_, relation, directions_)) return;
        for (std::size_t t = 0; t < relation.tensors.size(); ++t) {
            if (!projection_.arrays()[t].is_extended) continue;
            Layout& layout = layouts_[relation.tensors[t].index()].dimensions;
            Layout wanted = projection_.layout(t);
            if (wanted == layout || !goes_on(layout, wanted)) continue;
            layout = std::move(wanted);
            last.touched = true;
            touch(relation.tensors[t].index(), number);
        }
    }

    // Schedules another visit of all other relations of the array.
    void touch(std::size_t slot, std::size_t by) {
        for (std::uint32_t i = first_[slot]; i < first_[slot + 1]; ++i) {
            looks_[neighbours_[i]].touched = true;
            if (neighbours_[i] != by) wait(neighbours_[i]);
        }
    }

    // Whether no dimension loses axes. A compound dimension could: its first factor may take axes after which
    // the axes of its minor factors must be dropped. Since layouts only grow, propagation terminates.
    static bool goes_on(const Layout& from, const Layout& to) {
        for (std::size_t d = 0; d < from.size(); ++d)
            if (!is_prefix(from[d], to[d])) return false;
        return true;
    }

    [[nodiscard]] bool all_lie_alike() const {
        return std::all_of(now_.begin() + 1, now_.end(), [this](const SlotLayout* layout) {
            return layout->dimensions == now_.front()->dimensions;
        });
    }

    static bool lies_apart(const SlotLayout& layout) {
        return std::any_of(layout.dimensions.begin(), layout.dimensions.end(),
                           [](const Axes& axes) { return !axes.empty(); });
    }

    const std::vector<Relation>& relations_;
    std::vector<SlotLayout>& layouts_;
    std::vector<Terms> terms_;               ///< by relation
    std::vector<std::uint32_t> first_;       ///< by slot, plus the end: index of its first neighbour
    std::vector<std::uint32_t> neighbours_;  ///< relations, grouped by slot
    std::vector<std::uint32_t> stack_;
    std::vector<Look> looks_;    ///< by relation
    std::vector<bool> waiting_;  ///< by relation: it is on the stack
    std::vector<const SlotLayout*> now_;
    std::vector<Direction> directions_;
    Projection projection_;
};

// Removes the axes of dimensions with a later priority until that priority is processed. Meanwhile nothing
// else in the array may use these axes.
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
