#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace dse::sim::fold {

/// What a work takes (see NodeTime), in each of so many evaluations of one graph.
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

/// Rows of an operator that a node reads and writes; none overlaps with `value`.
struct NodeRows {
    double* value{nullptr};
    double* stream{nullptr};
    double* compute{nullptr};  ///< of the compute stream, where the node may hold it; else nullptr
    std::span<const double* const> inputs;
    std::size_t width{0};  ///< numbers of a row
};

}  // namespace dse::sim::fold
