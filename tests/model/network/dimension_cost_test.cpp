#include "dse/model/network/dimension_cost.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;
using hardware::DimensionSpec;

/// Links of 1 byte a second and 1 s.
DimensionSpec dimension(DimensionKind kind, std::int64_t size) {
    DimensionSpec result;
    result.kind = kind;
    result.size = size;
    result.link = {BytesPerSecond{1.0}, Seconds{1.0}, 1.0};
    return result;
}

void expect_cost(double latency, double seconds_per_byte, const DimensionCost& cost) {
    EXPECT_SOFT_EQ(Seconds{latency}, cost.latency);
    EXPECT_SOFT_EQ(seconds_per_byte, cost.seconds_per_byte);
}

TEST(DimensionCost, on_a_switch_has_the_textbook_forms) {
    const DimensionSpec eight = dimension(DimensionKind::switched, 8);
    const auto cost = [&](CollectiveKind kind, Algorithm algorithm) {
        return dimension_cost(kind, eight, {8, 1}, algorithm);
    };
    // A message pays the link in and the link out.
    expect_cost(2 * 7 * 2, 2 * 7.0 / 8, cost(CollectiveKind::all_reduce, Algorithm::ring));
    expect_cost(2 * 2, 2 * 7.0 / 8, cost(CollectiveKind::all_reduce, Algorithm::direct));
    expect_cost(2 * 3 * 2, 2 * 7.0 / 8, cost(CollectiveKind::all_reduce, Algorithm::halving_doubling));
    expect_cost(2 * 3 * 2, 2, cost(CollectiveKind::all_reduce, Algorithm::double_binary_tree));
    expect_cost(7 * 2, 7.0 / 8, cost(CollectiveKind::all_gather, Algorithm::ring));
    expect_cost(2, 7.0 / 8, cost(CollectiveKind::all_to_all, Algorithm::direct));
    // Bruck: half the vector in each of three steps.
    expect_cost(3 * 2, 1.5, cost(CollectiveKind::all_to_all, Algorithm::halving_doubling));
    expect_cost(3 * 2, 1.0, cost(CollectiveKind::broadcast, Algorithm::ring));
    expect_cost(2, 1.0, cost(CollectiveKind::ring_shift, Algorithm::ring));
}

TEST(DimensionCost, halving_and_doubling_works_for_any_number) {
    // 6 members: 1, 2 and 2 sixths go over distance 1, 2 and 4.
    expect_cost(3 * 2, 5.0 / 6,
                dimension_cost(CollectiveKind::all_gather, dimension(DimensionKind::switched, 6), {6, 1},
                               Algorithm::halving_doubling));
    // Blocks whose way from 0 to 5 has bit 0: 1, 3, 5; bit 1: 2, 3; bit 2: 4, 5.
    expect_cost(3 * 2, 7.0 / 6,
                dimension_cost(CollectiveKind::all_to_all, dimension(DimensionKind::switched, 6), {6, 1},
                               Algorithm::halving_doubling));
}

TEST(DimensionCost, full_connections_are_used_all_at_once) {
    const DimensionSpec eight = dimension(DimensionKind::fully_connected, 8);
    expect_cost(2, 2.0 / 8, dimension_cost(CollectiveKind::all_reduce, eight, {8, 1}, Algorithm::direct));
    expect_cost(1, 1.0 / 8, dimension_cost(CollectiveKind::all_to_all, eight, {8, 1}, Algorithm::direct));
    expect_cost(7, 7.0 / 8, dimension_cost(CollectiveKind::all_gather, eight, {8, 1}, Algorithm::ring));
}

TEST(DimensionCost, a_ring_is_gone_round_both_ways) {
    const DimensionSpec eight = dimension(DimensionKind::ring, 8);
    expect_cost(7, 7.0 / 16, dimension_cost(CollectiveKind::all_gather, eight, {8, 1}, Algorithm::ring));
    // A mesh has no way round: neighbours of the ring are two links apart.
    const DimensionSpec open = dimension(DimensionKind::mesh, 8);
    expect_cost(14, 7.0 / 8, dimension_cost(CollectiveKind::all_gather, open, {8, 1}, Algorithm::ring));
    // Two devices have one link.
    const DimensionSpec two = dimension(DimensionKind::ring, 2);
    expect_cost(1, 0.5, dimension_cost(CollectiveKind::all_gather, two, {2, 1}, Algorithm::ring));
    expect_cost(1, 0.5, dimension_cost(CollectiveKind::all_to_all, two, {2, 1}, Algorithm::ring));
    // A part of a ring is a mesh. Its last member shifts all the way back.
    expect_cost(3, 1.0, dimension_cost(CollectiveKind::ring_shift, eight, {4, 1}, Algorithm::ring));
    expect_cost(1, 1.0, dimension_cost(CollectiveKind::ring_shift, eight, {8, 1}, Algorithm::ring));
}

TEST(DimensionCost, an_all_to_all_on_a_ring_meets_the_bound_of_its_bisection) {
    // docs/theory/communication.md 5.5: a · S / (8 B) on an axis of a devices.
    const DimensionCost cost = dimension_cost(CollectiveKind::all_to_all, dimension(DimensionKind::ring, 16),
                                              {16, 1}, Algorithm::direct);
    expect_cost(8, 16.0 / 8.0, cost);
}

TEST(DimensionCost, automatic_follows_the_dimension) {
    const auto same = [](DimensionKind kind, CollectiveKind collective, Algorithm expected) {
        const DimensionSpec eight = dimension(kind, 8);
        const DimensionCost automatic = dimension_cost(collective, eight, {8, 1}, Algorithm::automatic);
        const DimensionCost named = dimension_cost(collective, eight, {8, 1}, expected);
        expect_cost(named.latency.value(), named.seconds_per_byte, automatic);
    };
    same(DimensionKind::ring, CollectiveKind::all_reduce, Algorithm::ring);
    same(DimensionKind::mesh, CollectiveKind::all_gather, Algorithm::ring);
    same(DimensionKind::fully_connected, CollectiveKind::all_reduce, Algorithm::direct);
    same(DimensionKind::switched, CollectiveKind::all_reduce, Algorithm::halving_doubling);
    same(DimensionKind::switched, CollectiveKind::all_to_all, Algorithm::direct);
}

TEST(DimensionCost, a_switch_that_reduces_takes_the_vector_at_its_rate) {
    DimensionSpec eight = dimension(DimensionKind::switched, 8);
    eight.link.efficiency = 0.9;
    eight.reduction.efficiency = 0.5;
    // In and out, twice; half of the line rate.
    expect_cost(4, 2, switch_reduction_cost(eight));
}

TEST(DimensionCost, one_member_costs_nothing_and_trees_only_all_reduce) {
    const DimensionSpec eight = dimension(DimensionKind::switched, 8);
    expect_cost(0, 0, dimension_cost(CollectiveKind::all_reduce, eight, {1, 1}, Algorithm::ring));
    for (const CollectiveKind kind :
         {CollectiveKind::all_gather, CollectiveKind::reduce_scatter, CollectiveKind::all_to_all}) {
        EXPECT_THROW(dimension_cost(kind, eight, {8, 1}, Algorithm::double_binary_tree), ModelError);
    }
}

/// Links of a line, one a direction, and what messages load them with.
class Wires {
  public:
    Wires(std::int64_t size, bool closed) : size_{size}, closed_{closed}, up_(size), down_(size) {}

    /// The shorter way; half either way where both are as long.
    void carry(std::int64_t from, std::int64_t to, double weight) {
        const std::int64_t ahead = (to - from + size_) % size_;
        const std::int64_t behind = size_ - ahead;
        const bool tie = closed_ && ahead == behind && size_ > 2;
        if (tie) weight /= 2;
        const bool goes_up = closed_ ? ahead <= behind : to > from;
        if (goes_up || tie) {
            for (std::int64_t at = from; at != to; at = (at + 1) % size_) up_[at] += weight;
        }
        if (!goes_up || tie) {
            for (std::int64_t at = from; at != to; at = (at + size_ - 1) % size_) down_[at] += weight;
        }
    }

    [[nodiscard]] double busiest() const {
        return std::max(*std::ranges::max_element(up_), *std::ranges::max_element(down_));
    }

  private:
    std::int64_t size_;
    bool closed_;
    std::vector<double> up_;
    std::vector<double> down_;
};

/// A line, its groups of so many members so far apart, all at once.
struct Case {
    DimensionKind kind;
    std::int64_t members;
    std::int64_t stride;
    [[nodiscard]] std::int64_t size() const { return members * stride; }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const DimensionKind kind : {DimensionKind::ring, DimensionKind::mesh}) {
        for (std::int64_t members = 2; members <= 17; ++members) {
            for (std::int64_t stride = 1; stride <= 3; ++stride) all.push_back({kind, members, stride});
        }
    }
    return all;
}

/// Of a step in which member i of every group sends to to(i).
template <class To>
double load_of_step(const Case& line, To to, double weight) {
    Wires wires{line.size(), line.kind == DimensionKind::ring};
    for (std::int64_t offset = 0; offset < line.stride; ++offset) {
        for (std::int64_t i = 0; i < line.members; ++i) {
            if (to(i) != i) wires.carry(offset + i * line.stride, offset + to(i) * line.stride, weight);
        }
    }
    return wires.busiest();
}

double cost_of(CollectiveKind kind, const Case& line, Algorithm algorithm) {
    return dimension_cost(kind, dimension(line.kind, line.size()), {line.members, line.stride}, algorithm)
        .seconds_per_byte;
}

TEST(DimensionCost, direct_loads_links_as_counted) {
    for (const Case& line : cases()) {
        Wires wires{line.size(), line.kind == DimensionKind::ring};
        const double share = 1.0 / static_cast<double>(line.members);
        for (std::int64_t offset = 0; offset < line.stride; ++offset) {
            for (std::int64_t i = 0; i < line.members; ++i) {
                for (std::int64_t j = 0; j < line.members; ++j) {
                    if (i == j) continue;
                    wires.carry(offset + i * line.stride, offset + j * line.stride, share);
                }
            }
        }
        EXPECT_SOFT_EQ(wires.busiest(), cost_of(CollectiveKind::all_to_all, line, Algorithm::direct))
            << line.members << " " << line.stride;
    }
}

TEST(DimensionCost, halving_loads_links_as_counted) {
    for (const Case& line : cases()) {
        const std::int64_t m = line.members;
        const bool in_blocks = std::has_single_bit(static_cast<std::uint64_t>(m));
        double sum = 0.0;
        for (std::int64_t distance = 1; distance < m; distance *= 2) {
            const double share =
                static_cast<double>(std::min(distance, m - distance)) / static_cast<double>(m);
            sum += load_of_step(
                line, [&](std::int64_t i) { return in_blocks ? i ^ distance : (i + distance) % m; }, share);
        }
        const double cost = cost_of(CollectiveKind::all_gather, line, Algorithm::halving_doubling);
        EXPECT_SOFT_EQ(sum, cost) << m << " " << line.stride;
    }
}

TEST(DimensionCost, rings_load_links_as_counted) {
    for (const Case& line : cases()) {
        const std::int64_t m = line.members;
        const double share = 1.0 / static_cast<double>(m);
        double step = 0.0;
        if (line.kind == DimensionKind::ring) {
            // Half of every message either way round.
            Wires wires{line.size(), true};
            for (std::int64_t offset = 0; offset < line.stride; ++offset) {
                for (std::int64_t i = 0; i < m; ++i) {
                    wires.carry(offset + i * line.stride, offset + (i + 1) % m * line.stride, share / 2);
                    wires.carry(offset + i * line.stride, offset + (i + m - 1) % m * line.stride, share / 2);
                }
            }
            step = wires.busiest();
        } else {
            // Up along even places, back along odd ones.
            std::vector<std::int64_t> order;
            for (std::int64_t i = 0; i < m; i += 2) order.push_back(i);
            for (std::int64_t i = m - 1 - m % 2; i > 0; i -= 2) order.push_back(i);
            std::vector<std::int64_t> next(static_cast<std::size_t>(m));
            for (std::size_t i = 0; i < order.size(); ++i) {
                next[static_cast<std::size_t>(order[i])] = order[(i + 1) % order.size()];
            }
            step = load_of_step(
                line, [&](std::int64_t i) { return next[static_cast<std::size_t>(i)]; }, share);
        }
        EXPECT_SOFT_EQ(static_cast<double>(m - 1) * step,
                       cost_of(CollectiveKind::all_gather, line, Algorithm::ring))
            << m << " " << line.stride;
    }
}

}  // namespace
}  // namespace dse::model
