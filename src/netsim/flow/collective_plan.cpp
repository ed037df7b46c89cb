#include "dse/netsim/flow/collective_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/model/network/dimension_cost.hpp"

namespace dse::netsim::flow {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

/// Phases of one level, between positions along it; shares are fractions of the vector at the start of the
/// level.
using Phases = std::vector<Phase>;

std::uint32_t position(std::int64_t i) {
    return static_cast<std::uint32_t>(i);
}

bool is_line(const Level& level) {
    return level.kind == DimensionKind::ring || level.kind == DimensionKind::mesh;
}

/// Ring order of the members, the last adjacent to the first: on an open line, every second member forth and
/// the others back.
std::vector<std::uint32_t> ring_order(const Level& level) {
    std::vector<std::uint32_t> order;
    const bool folded = is_line(level) && !level.closed;
    for (std::int64_t i = 0; i < level.members; i += folded ? 2 : 1) order.push_back(position(i));
    if (!folded) return order;
    for (std::int64_t i = level.members - 1; i > 0; --i) {
        if (i % 2 == 1) order.push_back(position(i));
    }
    return order;
}

/// Each member sends `share` to the next one in `messages` messages, in both directions if there are two.
Phase round(const Level& level, double share, double messages) {
    const std::vector<std::uint32_t> order = ring_order(level);
    const std::size_t m = order.size();
    const bool both_ways = level.closed && m > 2;
    Phase phase;
    for (std::size_t i = 0; i < m; ++i) {
        phase.push_back({order[i], order[(i + 1) % m], both_ways ? share / 2.0 : share, messages});
        if (both_ways) phase.push_back({order[(i + 1) % m], order[i], share / 2.0, messages});
    }
    return phase;
}

Phase pairs(std::int64_t members, double share) {
    Phase phase;
    phase.reserve(static_cast<std::size_t>(members * (members - 1)));
    for (std::int64_t distance = 1; distance < members; ++distance) {
        for (std::int64_t i = 0; i < members; ++i) {
            phase.push_back({position(i), position((i + distance) % members), share, 1.0});
        }
    }
    return phase;
}

/// Exchanges over distances 1, 2, 4, …: with partner i XOR distance if the number of members is a power of
/// two, else with (i + distance) mod m.
template <class Blocks>
Phases doubling(std::int64_t m, Blocks blocks) {
    Phases phases;
    const bool power = std::has_single_bit(static_cast<std::uint64_t>(m));
    for (std::int64_t distance = 1; distance < m; distance *= 2) {
        Phase& phase = phases.emplace_back();
        const double share = static_cast<double>(blocks(distance)) / static_cast<double>(m);
        for (std::int64_t i = 0; i < m; ++i) {
            const std::int64_t partner = power ? i ^ distance : (i + distance) % m;
            phase.push_back({position(i), position(partner), share, 1.0});
        }
    }
    return phases;
}

[[noreturn]] void refuse(Algorithm algorithm) {
    throw ModelError(fmt::format("{} is not an algorithm of flows (choose ring, direct or halving_doubling)",
                                 hardware::name(algorithm)));
}

/// All-gather along one level; reduce-scatter is the same in reverse order.
Phases gather(const Level& level, Algorithm algorithm) {
    const std::int64_t m = level.members;
    const auto others = static_cast<double>(m - 1);
    switch (algorithm) {
        case Algorithm::ring:
            return {round(level, others / static_cast<double>(m), others)};
        case Algorithm::direct:
            return {pairs(m, 1.0 / static_cast<double>(m))};
        case Algorithm::halving_doubling:
            return doubling(m, [m](std::int64_t distance) { return std::min(distance, m - distance); });
        case Algorithm::automatic:
        case Algorithm::double_binary_tree:
            break;
    }
    refuse(algorithm);
}

Phases scatter(const Level& level, Algorithm algorithm) {
    Phases phases = gather(level, algorithm);
    std::ranges::reverse(phases);
    return phases;
}

Phases reduce(const Level& level, Algorithm algorithm) {
    if (algorithm == Algorithm::ring) {
        const auto m = static_cast<double>(level.members);
        return {round(level, 2.0 * (m - 1.0) / m, 2.0 * (m - 1.0))};
    }
    Phases phases = scatter(level, algorithm);
    Phases back = gather(level, algorithm);
    phases.insert(phases.end(), back.begin(), back.end());
    return phases;
}

/// Blocks are forwarded over distances 1, 2, 4, … (Bruck et al. 1997), or from neighbour to neighbour.
Phases exchange(const Level& level, Algorithm algorithm) {
    const std::int64_t m = level.members;
    if (algorithm == Algorithm::halving_doubling) {
        return doubling(m, [m](std::int64_t distance) {
            const std::int64_t cycle = 2 * distance;
            return m / cycle * distance + std::max<std::int64_t>(0, m % cycle - distance);
        });
    }
    if (algorithm == Algorithm::double_binary_tree) refuse(algorithm);
    return {pairs(m, 1.0 / static_cast<double>(m))};
}

/// Broadcast from position 0 in slices that are forwarded from member to member; on a switch, the first slice
/// takes a tree.
Phase spread_out(const Level& level) {
    const std::int64_t m = level.members;
    Phase phase;
    if (is_line(level)) {
        const std::int64_t there = level.closed ? m / 2 : m - 1;
        const auto hops = static_cast<double>(there);
        for (std::int64_t i = 0; i < there; ++i) phase.push_back({position(i), position(i + 1), 1.0, hops});
        for (std::int64_t i = m; i - 1 > there; --i) {
            phase.push_back({position(i % m), position(i - 1), 1.0, hops});
        }
        return phase;
    }
    const bool star = level.kind == DimensionKind::switched;
    const int depth = star ? std::bit_width(static_cast<std::uint64_t>(m - 1)) : 1;
    for (std::int64_t i = 0; i + 1 < m; ++i) {
        const std::int64_t from = star ? i : 0;
        phase.push_back({position(from), position(i + 1), 1.0, static_cast<double>(depth)});
    }
    return phase;
}

Algorithm algorithm_of(const Level& level, CollectiveKind kind) {
    if (level.algorithm != Algorithm::automatic) return level.algorithm;
    return model::usual_algorithm(level.kind, kind);
}

/// Combines the phases of all levels.
class Planner {
  public:
    Planner(CollectiveKind kind, std::span<const Level> levels) : kind_{kind}, levels_{levels} {
        for (const Level& level : levels) plan_.members *= level.members;
        plan_.pipelines = levels.size() > 1;
    }

    CollectivePlan plan() {
        const std::size_t count = levels_.size();
        switch (kind_) {
            case CollectiveKind::all_reduce:
                for (std::size_t k = 0; k + 1 < count; ++k) add(k, scatter(levels_[k], algorithm(k)));
                add(count - 1, reduce(levels_[count - 1], algorithm(count - 1)));
                for (std::size_t k = count - 1; k-- > 0;) add(k, gather(levels_[k], algorithm(k)));
                break;
            case CollectiveKind::reduce_scatter:
                for (std::size_t k = 0; k < count; ++k) add(k, scatter(levels_[k], algorithm(k)));
                break;
            case CollectiveKind::all_gather:
                for (std::size_t k = count; k-- > 0;) add(k, gather(levels_[k], algorithm(k)));
                break;
            case CollectiveKind::all_to_all:
                all_to_all();
                break;
            case CollectiveKind::broadcast:
                for (std::size_t k = count; k-- > 0;) add_broadcast(k);
                break;
            case CollectiveKind::ring_shift:
                shift();
                break;
        }
        return std::move(plan_);
    }

  private:
    [[nodiscard]] Algorithm algorithm(std::size_t k) const { return algorithm_of(levels_[k], kind_); }

    void all_to_all() {
        const bool at_once = std::ranges::all_of(levels_, [this](const Level& level) {
            const Algorithm algorithm = algorithm_of(level, kind_);
            return algorithm == Algorithm::direct || algorithm == Algorithm::ring;
        });
        if (at_once) {
            plan_.pipelines = false;
            count(static_cast<double>(plan_.members) * static_cast<double>(plan_.members));
            plan_.phases.push_back(pairs(plan_.members, 1.0 / static_cast<double>(plan_.members)));
            return;
        }
        for (std::size_t k = 0; k < levels_.size(); ++k) {
            for (const Phase& phase : exchange(levels_[k], algorithm(k))) add_lines(k, phase, 1.0);
        }
    }

    void shift() {
        plan_.pipelines = false;
        Phase phase;
        for (std::int64_t i = 0; i < plan_.members; ++i) {
            phase.push_back({position(i), position((i + 1) % plan_.members), 1.0, 1.0});
        }
        plan_.phases.push_back(std::move(phase));
    }

    /// Fraction of the vector that remains at level k after the levels inside it.
    [[nodiscard]] double part(std::size_t k) const {
        double part = 1.0;
        for (std::size_t j = 0; j < k; ++j) part /= static_cast<double>(levels_[j].members);
        return part;
    }

    void add(std::size_t k, const Phases& phases) {
        for (const Phase& phase : phases) add_lines(k, phase, part(k));
    }

    /// Members that have the vector broadcast it along level k: those at position 0 of all inner levels.
    void add_broadcast(std::size_t k) {
        add_lines(k, spread_out(levels_[k]), 1.0);
        std::int64_t inner = 1;
        for (std::size_t j = 0; j < k; ++j) inner *= levels_[j].members;
        std::erase_if(plan_.phases.back(), [&](const Send& send) { return send.from % inner != 0; });
    }

    /// Adds the same phase on every line along level k.
    void add_lines(std::size_t k, const Phase& phase, double part) {
        std::int64_t inner = 1;
        for (std::size_t j = 0; j < k; ++j) inner *= levels_[j].members;
        const std::int64_t block = inner * levels_[k].members;
        const std::int64_t lines = plan_.members / levels_[k].members;
        count(static_cast<double>(phase.size()) * static_cast<double>(lines));
        Phase& all = plan_.phases.emplace_back();
        all.reserve(phase.size() * static_cast<std::size_t>(lines));
        for (std::int64_t outer = 0; outer < plan_.members; outer += block) {
            for (std::int64_t offset = 0; offset < inner; ++offset) {
                for (const Send& send : phase) {
                    all.push_back({position(outer + offset + send.from * inner),
                                   position(outer + offset + send.to * inner), send.share * part,
                                   send.messages});
                }
            }
        }
    }

    void count(double messages) {
        constexpr double most_messages = 1 << 21;  // takes some seconds and 500 MB
        messages_ += messages;
        if (messages_ <= most_messages) return;
        throw ModelError(
            fmt::format("a collective of {} members has too many messages to play one by one "
                        "(choose algorithm ring, or network multi_dim)",
                        plan_.members));
    }

    CollectiveKind kind_;
    std::span<const Level> levels_;
    CollectivePlan plan_;
    double messages_{0.0};
};

}  // namespace

CollectivePlan plan_collective(CollectiveKind kind, std::span<const Level> levels) {
    DSE_EXPECT(!levels.empty());
    return Planner{kind, levels}.plan();
}

CollectivePlan plan_message() {
    return {{{{0, 1, 1.0, 1.0}}}, 2, false};
}

}  // namespace dse::netsim::flow
