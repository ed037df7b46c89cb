#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace dse::sim::fold {

/// Times of a work (see NodeTime) in each of several evaluations of one graph.
template <std::size_t evaluations>
struct WorkTimes {
    std::array<double, evaluations> duration{};
    std::array<double, evaluations> visible{};
    std::array<double, evaluations> hold{};
    std::array<double, evaluations> lost{};

    [[nodiscard]] bool holds() const { return is_any(hold); }
    [[nodiscard]] bool loses() const { return is_any(lost); }
    /// Whether all evaluations have the same time, after which the value is visible, and neither a hold nor a
    /// loss: as most kernels have.
    [[nodiscard]] bool is_one_time() const {
        bool same = true;
        for (std::size_t k = 0; k < evaluations; ++k)
            same = same && duration[k] == duration[0] && visible[k] == duration[0] && hold[k] == 0.0 &&
                   lost[k] == 0.0;
        return same;
    }
    /// Whether all evaluations have the same times.
    [[nodiscard]] bool are_alike() const {
        bool same = true;
        for (std::size_t k = 1; k < evaluations; ++k)
            same = same && duration[k] == duration[0] && visible[k] == visible[0] && hold[k] == hold[0] &&
                   lost[k] == lost[0];
        return same;
    }
    /// Durations, then visible delays, then holds, then losses.
    [[nodiscard]] std::array<double, 4 * evaluations> all() const {
        std::array<double, 4 * evaluations> times{};
        auto next = std::copy(duration.begin(), duration.end(), times.begin());
        next = std::copy(visible.begin(), visible.end(), next);
        next = std::copy(hold.begin(), hold.end(), next);
        std::copy(lost.begin(), lost.end(), next);
        return times;
    }
    friend bool operator==(const WorkTimes&, const WorkTimes&) = default;

  private:
    static bool is_any(const std::array<double, evaluations>& times) {
        return std::any_of(times.begin(), times.end(), [](double time) { return time > 0; });
    }
};

/// Rows of an operator that a node reads and writes. None of them overlaps with `value`.
struct NodeRows {
    double* value{nullptr};
    double* stream{nullptr};
    double* compute{nullptr};  ///< row of the compute stream if the node may block it, else nullptr
    std::span<const double* const> inputs;
    std::size_t width{0};  ///< numbers per row
};

}  // namespace dse::sim::fold
