#include "ir/partition/reshard.hpp"

#include <cstddef>
#include <utility>

namespace dse::ir::partition {
namespace {

class ReshardingPath {
  public:
    ReshardingPath(Layout from, const Layout& to, Axes partial)
        : now_{std::move(from)}, to_{to}, partial_{std::move(partial)} {}

    std::vector<ReshardStep> steps() {
        for (bool changed = true; changed;) {
            const std::size_t before = steps_.size();
            slice();
            reduce_and_slice();
            changed = steps_.size() != before;
        }
        reduce(std::exchange(partial_, {}));
        slice();
        move();
        permute();
        // A part that prevented a slice is gone now; the rest is gathered.
        gather();
        slice();
        return std::move(steps_);
    }

  private:
    void take(ReshardStep step) {
        step.after = now_;
        steps_.push_back(std::move(step));
    }

    // Slices along axes that the array does not use yet and that come next in their dimension. Parts of
    // pending partial sums must not be sliced along the axes of the sum.
    void slice() {
        for (std::size_t d = 0; d < now_.size(); ++d) {
            const Axes added = addable(d);
            slice(d, common_prefix(added, without(added, partial_)));
        }
    }

    void slice(std::size_t d, const Axes& added) {
        if (added.empty()) return;
        now_[d] = joined(now_[d], added);
        take({ReshardStep::Kind::slice, d, d, added, {}});
    }

    [[nodiscard]] Axes addable(std::size_t d) const {
        if (now_[d] == to_[d] || !is_prefix(now_[d], to_[d])) return {};
        // Only the part that can follow now: axes that are still in use elsewhere have to be moved before.
        return common_prefix(rest_of(d), without(rest_of(d), all_of(now_)));
    }

    void reduce(const Axes& axes) {
        if (!axes.empty()) take({ReshardStep::Kind::all_reduce, 0, 0, axes, {}});
    }

    void reduce_and_slice() {
        for (std::size_t d = 0; d < now_.size() && !partial_.empty(); ++d) {
            const Axes added = addable(d);
            const Axes scattered = common_prefix(added, within(added, partial_));
            reduce(scattered);
            slice(d, scattered);
            partial_ = without(partial_, scattered);
        }
    }

    // Moves axes from the end of one dimension to another in which they come next.
    void move() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t to = 0; to < now_.size() && !changed; ++to) {
                if (now_[to] == to_[to] || !is_prefix(now_[to], to_[to])) continue;
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

    // The axes or their order differ, but all parts have the same sizes.
    void permute() {
        bool same_sizes = true;
        bool differs = false;
        for (std::size_t d = 0; d < now_.size(); ++d) {
            same_sizes = same_sizes && parts_of(now_[d]) == parts_of(to_[d]);
            differs = differs || (now_[d] != to_[d] && normalized(now_[d]) != normalized(to_[d]));
        }
        if (!same_sizes || !differs) return;
        now_ = to_;
        take({ReshardStep::Kind::permute, 0, 0, {}, {}});
    }

    void gather() {
        for (std::size_t d = 0; d < now_.size(); ++d) {
            if (now_[d].empty() || now_[d] == to_[d]) continue;
            const Axes kept = common_prefix(now_[d], to_[d]);
            const Axes dropped = without(now_[d], kept);
            if (dropped.empty()) continue;
            now_[d] = kept;
            take({ReshardStep::Kind::all_gather, d, d, dropped, {}});
        }
    }

    /// The wanted axes of the dimension that follow those it has.
    [[nodiscard]] Axes rest_of(std::size_t d) const { return without(to_[d], now_[d]); }

    Layout now_;
    const Layout& to_;
    Axes partial_;
    std::vector<ReshardStep> steps_;
};

}  // namespace

std::vector<ReshardStep> reshard_steps(const Layout& from, const Layout& to, const Axes& partial) {
    if (partial.empty() && from == to) return {};
    return ReshardingPath{from, to, normalized(partial)}.steps();
}

double sent_bytes(const std::vector<ReshardStep>& steps, double bytes, const Layout& from) {
    using Kind = ReshardStep::Kind;
    const auto local = [bytes](const Layout& layout) {
        std::int64_t parts = 1;
        for (const Axes& axes : layout) parts *= parts_of(axes);
        return bytes / static_cast<double>(parts);
    };
    double sent = 0;
    const Layout* before = &from;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ReshardStep& step = steps[i];
        const double to_others = 1 - 1 / static_cast<double>(parts_of(step.axes));
        switch (step.kind) {
            case Kind::slice:
                break;
            case Kind::all_reduce: {
                const bool scatters = i + 1 < steps.size() && steps[i + 1].kind == Kind::slice &&
                                      steps[i + 1].axes == step.axes;
                sent += (scatters ? 1 : 2) * local(*before) * to_others;
                break;
            }
            case Kind::permute:
                sent += local(*before);
                break;
            case Kind::all_to_all:
                sent += local(*before) * to_others;
                break;
            case Kind::all_gather:
                sent += local(step.after) * to_others;
                break;
            case Kind::sum_parts:
                sent += 2 * local(step.after) * to_others;
                break;
        }
        before = &step.after;
    }
    return sent;
}

}  // namespace dse::ir::partition
