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

    [[nodiscard]] bool holds() const {
        return std::any_of(hold.begin(), hold.end(), [](double time) { return time > 0; });
    }
    friend bool operator==(const WorkTimes&, const WorkTimes&) = default;
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
