#include "ir/partition/halo.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace dse::ir::partition {
namespace {

// A piece of one part that another part needs.
struct Piece {
    std::int64_t target{0};
    std::int64_t offset{0};  ///< in the target's range
    std::int64_t start{0};   ///< in the source
    std::int64_t limit{0};
};

// How far the needs of parts extend beyond their own elements, before and after them.
class Reach {
  public:
    Reach(std::int64_t part, const WantedRanges& wanted)
        : part_{part}, count_{static_cast<std::int64_t>(wanted.size())} {
        for (std::int64_t i = 0; i < count_; ++i) {
            const auto& [start, limit] = wanted[static_cast<std::size_t>(i)];
            if (start == limit) continue;
            window_ = std::max(window_, limit - start);
            left_all_ = std::max(left_all_, i * part - start);
            right_all_ = std::max(right_all_, limit - (i + 1) * part);
            if (i > 0) left_ = std::max(left_, i * part - start);
            if (i + 1 < count_) right_ = std::max(right_, limit - (i + 1) * part);
        }
    }

    [[nodiscard]] bool is_far() const { return std::max(left_all_, right_all_) > 2 * window_; }
    [[nodiscard]] bool gathers() const {
        if (is_far()) return 2 * window_ >= count_ * part_;
        return -left_all_ >= part_ + right_all_ ||
               (left_ + right_ + part_ >= part_ * count_ && (left_ > part_ || right_ > part_));
    }

    // One step for each distance, to the right and to the left.
    [[nodiscard]] std::vector<HaloStep> by_distance() const {
        std::vector<HaloStep> steps;
        const std::int64_t last = part_ + right_all_;
        for (std::int64_t i = distances(left_) - 1; i >= 0 && (-i - 1) * part_ < last; --i)
            add(steps, i + 1,
                std::min(left_ - part_ * i, part_) - std::max<std::int64_t>(-i * part_ - last, 0));
        const std::int64_t first = -left_all_;
        const std::int64_t skipped =
            std::min(std::max<std::int64_t>(first - part_, 0), std::max<std::int64_t>(right_, 0)) / part_;
        for (std::int64_t i = skipped; i < distances(right_); ++i)
            add(steps, -i - 1,
                std::min(right_ - part_ * i, part_) - std::max<std::int64_t>(first - (i + 1) * part_, 0));
        return steps;
    }

  private:
    [[nodiscard]] std::int64_t distances(std::int64_t reach) const {
        return reach <= 0 ? 0 : (reach + part_ - 1) / part_;
    }
    void add(std::vector<HaloStep>& steps, std::int64_t distance, std::int64_t size) const {
        HaloStep step{{}, size};
        for (std::int64_t target = 0; target < count_; ++target)
            if (target - distance >= 0 && target - distance < count_)
                step.pairs.emplace_back(target - distance, target);
        steps.push_back(std::move(step));
    }

    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min() / 4;
    std::int64_t part_;
    std::int64_t count_;
    std::int64_t window_{0};
    std::int64_t left_{none}, right_{none};  ///< for parts that have a neighbour there; negative: not even to
                                             ///< the end of their own part
    std::int64_t left_all_{none}, right_all_{none};
};

// Pieces by source, in order of their offsets.
std::vector<std::vector<Piece>> pieces(std::int64_t size, std::int64_t part, const WantedRanges& wanted) {
    std::vector<std::vector<Piece>> result(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::int64_t limit = std::min(wanted[i].second, size);
        for (std::int64_t start = std::max<std::int64_t>(wanted[i].first, 0); start < limit;) {
            const auto source = static_cast<std::size_t>(start / part);
            const std::int64_t end = std::min(limit, (start / part + 1) * part);
            if (source != i)
                result[source].push_back({static_cast<std::int64_t>(i), start - wanted[i].first, start % part,
                                          start % part + end - start});
            start = end;
        }
    }
    for (std::vector<Piece>& of_source : result)
        std::stable_sort(of_source.begin(), of_source.end(),
                         [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
    return result;
}

// In each step, as many pairs as have different sources and targets.
std::vector<HaloStep> paired(std::int64_t size, std::int64_t part, const WantedRanges& wanted) {
    const auto by_source = pieces(size, part, wanted);
    std::vector<std::size_t> next(by_source.size(), 0);
    std::vector<HaloStep> steps;
    while (true) {
        HaloStep step;
        std::vector<bool> gets(by_source.size(), false);
        std::int64_t start = part;
        std::int64_t limit = 0;
        for (std::size_t source = 0; source < by_source.size(); ++source) {
            if (next[source] >= by_source[source].size()) continue;
            const Piece& piece = by_source[source][next[source]];
            // Combining small pieces at opposite ends would transfer the whole part for both.
            const bool widens = (start > piece.limit && limit == part && piece.start == 0) ||
                                (limit < piece.start && start == 0 && piece.limit == part);
            if (!step.pairs.empty() && (gets[static_cast<std::size_t>(piece.target)] || widens)) continue;
            gets[static_cast<std::size_t>(piece.target)] = true;
            step.pairs.emplace_back(static_cast<std::int64_t>(source), piece.target);
            start = std::min(start, piece.start);
            limit = std::max(limit, piece.limit);
            ++next[source];
        }
        if (step.pairs.empty()) return steps;
        step.size = limit - start;
        steps.push_back(std::move(step));
    }
}

}  // namespace

std::optional<std::vector<HaloStep>> halo_steps(std::int64_t size, const WantedRanges& wanted) {
    const auto count = static_cast<std::int64_t>(wanted.size());
    const std::int64_t part = (size + count - 1) / count;
    const Reach reach{part, wanted};
    if (reach.gathers()) return std::nullopt;
    return reach.is_far() ? paired(size, part, wanted) : reach.by_distance();
}

}  // namespace dse::ir::partition
