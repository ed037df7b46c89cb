#include "ir/partition/reshard.hpp"

#include <cstddef>

namespace dse::ir::partition {
namespace {

Axes joined(const Axes& a, const Axes& b) {
    Axes result = a;
    result.insert(result.end(), b.begin(), b.end());
    return normalized(result);
}

Axes all_of(const Layout& layout) {
    Axes result;
    for (const Axes& axes : layout) result.insert(result.end(), axes.begin(), axes.end());
    return result;
}

class Resharding {
  public:
    Resharding(Layout from, const Layout& to) : now_{std::move(from)}, to_{to} {}

    std::vector<ReshardStep> steps() {
        slice();
        move();
        permute();
        // A part that stood in the way of a slice is gone now; what is left goes by gathering.
        gather();
        slice();
        return std::move(steps_);
    }

  private:
    void take(ReshardStep step) {
        step.after = now_;
        steps_.push_back(std::move(step));
    }

    // Axes that the array does not lie on yet, where they come next in their dimension.
    void slice() {
        for (std::size_t d = 0; d < now_.size(); ++d) {
            if (!is_prefix(now_[d], to_[d])) continue;
            Axes added = without(rest_of(d), all_of(now_));
            // Only what follows at once: an axis that still lies elsewhere must come first.
            added = common_prefix(rest_of(d), added);
            if (added.empty()) continue;
            now_[d] = joined(now_[d], added);
            take({ReshardStep::Kind::slice, d, d, added, {}});
        }
    }

    // Axes at the end of one dimension that come next in another.
    void move() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t to = 0; to < now_.size() && !changed; ++to) {
                if (!is_prefix(now_[to], to_[to])) continue;
                const Axes wanted = rest_of(to);
                if (wanted.empty()) continue;
                for (std::size_t from = 0; from < now_.size() && !changed; ++from)
                    changed = from != to && move_between(from, to, wanted);
            }
        }
    }

    bool move_between(std::size_t from, std::size_t to, const Axes& wanted) {
        const Axes kept = common_prefix(now_[from], to_[from]);
        const Axes tail = without(now_[from], kept);
        Axes moved = common_prefix(wanted, within(tail, wanted));
        if (moved.empty() || normalized(joined(without(now_[from], moved), moved)) != normalized(now_[from]))
            return false;
        now_[from] = without(now_[from], moved);
        now_[to] = joined(now_[to], moved);
        take({ReshardStep::Kind::all_to_all, from, to, moved, {}});
        return true;
    }

    // Other axes, or another order of them, but parts of the same sizes everywhere.
    void permute() {
        bool same_sizes = true;
        bool differs = false;
        for (std::size_t d = 0; d < now_.size(); ++d) {
            same_sizes = same_sizes && product(now_[d]) == product(to_[d]);
            differs = differs || normalized(now_[d]) != normalized(to_[d]);
        }
        if (!same_sizes || !differs) return;
        now_ = to_;
        take({ReshardStep::Kind::permute, 0, 0, {}, {}});
    }

    void gather() {
        for (std::size_t d = 0; d < now_.size(); ++d) {
            const Axes kept = common_prefix(now_[d], to_[d]);
            const Axes dropped = without(now_[d], kept);
            if (dropped.empty()) continue;
            now_[d] = kept;
            take({ReshardStep::Kind::all_gather, d, d, dropped, {}});
        }
    }

    /// Of the dimension's wanted axes, those behind what it has.
    [[nodiscard]] Axes rest_of(std::size_t d) const { return without(to_[d], now_[d]); }

    Layout now_;
    const Layout& to_;
    std::vector<ReshardStep> steps_;
};

}  // namespace

std::vector<ReshardStep> reshard_steps(const Layout& from, const Layout& to) {
    return Resharding{from, to}.steps();
}

}  // namespace dse::ir::partition
