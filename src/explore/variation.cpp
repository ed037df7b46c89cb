#include "explore/variation.hpp"

#include <algorithm>
#include <cmath>

namespace dse::explore {
namespace {

constexpr int most_tries = 60;
constexpr double crossing = 0.9;
/// Fraction of the changes on an ordered axis that go to an adjacent value.
constexpr double next_values = 0.4;

/// A distance on an axis of `count` values: to an adjacent value, or farther, with all octaves equally
/// likely.
std::uint64_t draw_distance(std::uint64_t count, Random& random) {
    if (random.chance(next_values)) return 1;
    return static_cast<std::uint64_t>(std::pow(static_cast<double>(count), random.unit()));
}

/// Moves up or down, clamped to the ends of the axis.
void move(std::uint64_t& digit, std::uint64_t count, Random& random) {
    const std::uint64_t distance = draw_distance(count, random);
    const bool up = digit == 0 || (digit + 1 < count && random.chance(0.5));
    digit = up ? digit + std::min(distance, count - 1 - digit) : digit - std::min(distance, digit);
}

void change(Genome& genome, std::size_t axis, const Lattice& lattice, Random& random) {
    const std::uint64_t count = lattice.count(axis);
    if (lattice.is_ordered(axis)) return move(genome[axis], count, random);
    const std::uint64_t other = random.below(count - 1);
    genome[axis] = other < genome[axis] ? other : other + 1;
}

/// Mutates one axis on average; at least one if `always` is set.
void mutate(Genome& genome, const Lattice& lattice, Random& random, bool always) {
    const std::vector<std::size_t>& axes = lattice.free_axes();
    if (axes.empty()) return;
    const double share = 1.0 / static_cast<double>(axes.size());
    bool changed = false;
    for (const std::size_t axis : axes) {
        if (!random.chance(share)) continue;
        change(genome, axis, lattice, random);
        changed = true;
    }
    if (always && !changed) change(genome, axes[random.below(axes.size())], lattice, random);
}

}  // namespace

std::optional<Genome> claim_child(Knowledge& knowledge, const Genome& a, const Genome& b) {
    Random& random = knowledge.random();
    for (int i = 0; i < most_tries; ++i) {
        Genome child = a;
        const bool crossed = random.chance(crossing);
        if (crossed) {
            for (std::size_t axis = 0; axis < child.size(); ++axis) {
                if (random.chance(0.5)) child[axis] = b[axis];
            }
        }
        // After failed tries the neighbourhood is known or outside the space, so mutations get stronger.
        mutate(child, knowledge.lattice(), random, !crossed || i > 0);
        for (int more = 0; more < i / 20; ++more) mutate(child, knowledge.lattice(), random, true);
        if (knowledge.claim(child)) return child;
    }
    return std::nullopt;
}

}  // namespace dse::explore
