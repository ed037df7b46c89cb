#include "ir/partition/spmd_reshard.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

namespace dse::ir::partition {
namespace {

using StepKind = ReshardStep::Kind;

// The last axes, with this number of parts in total; nothing if that is impossible.
std::optional<Axes> minor_part(const Axes& axes, std::int64_t parts) {
    Axes result;
    for (std::size_t i = axes.size(); i-- > 0 && parts > 1;) {
        const std::int64_t taken = std::gcd(axes[i].size, parts);
        if (taken == 1) return std::nullopt;
        const std::int64_t major = axes[i].size / taken;
        result.insert(result.begin(), {axes[i].axis, axes[i].pre_size * major, taken});
        parts /= taken;
        if (major > 1 && parts > 1) return std::nullopt;
    }
    if (parts > 1) return std::nullopt;
    return normalized(result);
}

class SpmdResharding {
  public:
    SpmdResharding(const Sizes& sizes, Layout from, Axes partial)
        : sizes_{sizes}, now_{std::move(from)}, partial_{std::move(partial)} {}

    std::vector<ReshardStep> steps(const Layout& to, Summing summing) {
        if (summing == Summing::scattered) scatter(to);
        reduce(std::exchange(partial_, {}));
        if (!moved(to, true)) whole(to);
        return std::move(steps_);
    }

  private:
    struct State {
        Layout now;
        std::size_t steps;
    };

    void take(ReshardStep step) {
        step.after = now_;
        steps_.push_back(std::move(step));
    }

    void reduce(const Axes& axes) {
        if (!axes.empty()) take({StepKind::all_reduce, 0, 0, axes, {}});
    }

    // Sums over axes along which the result is partitioned next: each device keeps its part.
    void scatter(const Layout& to) {
        Layout scattered(now_.size());
        for (std::size_t d = now_.size(); d-- > 0;) {
            if (!is_prefix(now_[d], to[d])) continue;
            const Axes next = without(to[d], now_[d]);
            scattered[d] = common_prefix(next, within(next, partial_));
            reduce(scattered[d]);
            partial_ = without(partial_, scattered[d]);
        }
        for (std::size_t d = 0; d < now_.size(); ++d) slice(d, scattered[d]);
    }

    void slice(std::size_t d, const Axes& added) {
        if (added.empty()) return;
        now_[d] = joined(now_[d], added);
        take({StepKind::slice, d, d, added, {}});
    }
    void gather(std::size_t d, Axes dropped) {
        if (dropped.empty()) return;
        const std::int64_t part = local_size(sizes_[d], now_[d]);
        now_[d] = without(now_[d], dropped);
        const std::int64_t all = local_size(sizes_[d], now_[d]);
        const bool is_short = all == part || all <= parts_of(dropped) / 2;
        take({is_short ? StepKind::sum_parts : StepKind::all_gather, d, d, std::move(dropped), {}});
    }
    void exchange(std::size_t from, std::size_t to, const Axes& axes) {
        now_[from] = without(now_[from], axes);
        now_[to] = joined(now_[to], axes);
        take({StepKind::all_to_all, from, to, axes, {}});
    }
    void permute(const Layout& to) {
        if (now_ == to) return;
        now_ = to;
        take({StepKind::permute, 0, 0, {}, {}});
    }

    /// \param may_gather  whether all dimensions that differ may be gathered if nothing else applies
    bool moved(const Layout& to, bool may_gather) {
        if (now_ == to) return true;
        if (has_parts_of(to)) {
            permute(to);
            return true;
        }
        if (swapped(to) || sliced(to) || gathered(to)) return true;
        const State before{now_, steps_.size()};
        if (split_or_merged(to) || without_one(to) || from_repeated(to)) return true;
        now_ = before.now;
        steps_.resize(before.steps);
        return may_gather && in_groups(to);
    }

    [[nodiscard]] std::int64_t parts(std::size_t d) const { return parts_of(now_[d]); }
    [[nodiscard]] bool has_parts_of(const Layout& to) const {
        for (std::size_t d = 0; d < to.size(); ++d)
            if (parts(d) != parts_of(to[d])) return false;
        return true;
    }

    // Pairs of dimensions that exchange their numbers of parts.
    bool swapped(const Layout& to) {
        if (tiles(now_) != tiles(to) || tiles(now_) == 1) return false;
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        std::vector<bool> used(to.size(), false);
        for (std::size_t s = 0; s < to.size(); ++s) {
            if (parts(s) <= parts_of(to[s])) continue;
            std::size_t t = 0;
            while (t < to.size() && (used[t] || parts(t) != parts_of(to[s]) || parts_of(to[t]) != parts(s)))
                ++t;
            if (t == to.size() || parts(s) % parts(t) != 0) return false;
            used[t] = used[s] = true;
            pairs.emplace_back(s, t);
        }
        for (std::size_t d = 0; d < to.size(); ++d)
            if (!used[d] && parts(d) != parts_of(to[d])) return false;
        const State before{now_, steps_.size()};
        for (const auto& [s, t] : pairs) {
            const auto axes = minor_part(now_[s], parts(s) / parts(t));
            if (!axes) {
                now_ = before.now;
                steps_.resize(before.steps);
                return false;
            }
            exchange(s, t, *axes);
        }
        permute(to);
        return true;
    }

    // All dimensions have the same number of parts or more: slices along free axes of the new layout.
    bool sliced(const Layout& to) {
        if (tiles(to) == 1) return false;
        for (std::size_t d = 0; d < to.size(); ++d)
            if (parts_of(to[d]) % parts(d) != 0) return false;
        bool follows = true;
        for (std::size_t d = 0; d < to.size(); ++d) follows = follows && is_prefix(now_[d], to[d]);
        if (follows) {
            for (std::size_t d = 0; d < to.size(); ++d) slice(d, without(to[d], now_[d]));
            return true;
        }
        Axes free = without(all_of(to), all_of(now_));
        Layout added(to.size());
        for (std::size_t d = 0; d < to.size(); ++d) {
            const auto axes = taken_from(free, parts_of(to[d]) / parts(d));
            if (!axes) return false;
            added[d] = *axes;
        }
        for (std::size_t d = 0; d < to.size(); ++d) slice(d, added[d]);
        permute(to);
        return true;
    }

    // All dimensions have the same number of parts or fewer.
    bool gathered(const Layout& to) {
        for (std::size_t d = 0; d < to.size(); ++d)
            if (parts(d) % parts_of(to[d]) != 0) return false;
        bool leads = true;
        for (std::size_t d = 0; d < to.size(); ++d) leads = leads && is_prefix(to[d], now_[d]);
        if (!leads) {
            Axes free = without(all_of(now_), all_of(to));
            Layout ordered = to;
            for (std::size_t d = 0; d < to.size(); ++d) {
                const auto axes = taken_from(free, parts(d) / parts_of(to[d]));
                if (!axes) return false;
                ordered[d] = joined(ordered[d], *axes);
            }
            permute(ordered);
        }
        for (std::size_t d = to.size(); d-- > 0;) gather(d, without(now_[d], to[d]));
        return true;
    }

    // A dimension that keeps only some of its parts passes the others to a dimension with none, or the
    // reverse.
    bool split_or_merged(const Layout& to) {
        if (tiles(now_) != tiles(to)) return false;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::int64_t is = parts(i);
            const std::int64_t wanted = parts_of(to[i]);
            if (is == wanted || std::min(is, wanted) == 1 || std::max(is, wanted) % std::min(is, wanted) != 0)
                continue;
            for (std::size_t j = 0; j < to.size(); ++j) {
                if (j == i || parts(j) == parts_of(to[j]) || std::min(parts(j), parts_of(to[j])) != 1 ||
                    is * parts(j) != wanted * parts_of(to[j]))
                    continue;
                const auto axes = is > wanted ? minor_part(now_[i], is / wanted) : std::optional{now_[j]};
                if (!axes) continue;
                is > wanted ? exchange(i, j, *axes) : exchange(j, i, *axes);
                return moved(to, false);
            }
        }
        return false;
    }

    // Gathers one dimension first, if that leaves the wanted number of parts.
    bool without_one(const Layout& to) {
        if (tiles(to) == 1) return false;
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (parts(i) == 1 || tiles(now_) / parts(i) != tiles(to)) continue;
            gather(i, now_[i]);
            return moved(to, false);
        }
        return false;
    }

    // First slices what is replicated, along a dimension that is to be partitioned.
    bool from_repeated(const Layout& to) {
        if (tiles(to) <= tiles(now_)) return false;
        const std::int64_t times = tiles(to) / tiles(now_);
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (parts(i) != 1 || parts_of(to[i]) == 1 || parts_of(to[i]) % times != 0) continue;
            Axes free = without(all_of(to), all_of(now_));
            const auto axes = taken_from(free, times);
            if (!axes) return false;
            slice(i, *axes);
            return moved(to, false);
        }
        return false;
    }

    // Dimensions with an equal number of parts are kept; for the others nothing applies and they are
    // gathered.
    bool in_groups(const Layout& to) {
        bool any = false;
        for (std::size_t d = 0; d < to.size(); ++d)
            any = any || (parts(d) > 1 && parts(d) == parts_of(to[d]));
        if (!any) return false;
        Axes kept;
        for (std::size_t d = 0; d < to.size(); ++d)
            if (parts(d) == parts_of(to[d])) kept = joined(kept, now_[d]);
        for (std::size_t d = to.size(); d-- > 0;)
            if (parts(d) != parts_of(to[d])) gather(d, now_[d]);
        Axes free = without(all_of(to), kept);
        for (std::size_t d = 0; d < to.size(); ++d) {
            if (parts(d) == parts_of(to[d])) continue;
            if (const auto axes = taken_from(free, parts_of(to[d]))) slice(d, *axes);
        }
        if (!has_parts_of(to)) return false;
        permute(to);
        return true;
    }

    void whole(const Layout& to) {
        for (std::size_t d = to.size(); d-- > 0;) gather(d, now_[d]);
        for (std::size_t d = 0; d < to.size(); ++d) slice(d, to[d]);
    }

    const Sizes& sizes_;
    Layout now_;
    Axes partial_;
    std::vector<ReshardStep> steps_;
};

}  // namespace

std::vector<ReshardStep> spmd_reshard_steps(const Sizes& sizes, const Layout& from, const Layout& to,
                                            const Axes& partial, Summing summing) {
    return SpmdResharding{sizes, from, normalized(partial)}.steps(to, summing);
}

}  // namespace dse::ir::partition
