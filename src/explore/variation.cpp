#include "explore/variation.hpp"

#include <algorithm>

namespace dse::explore {
namespace {

constexpr int most_tries = 60;
constexpr double crossing = 0.9;
/// Of the changes on an ordered axis, those to a neighbour.
constexpr double small_changes = 0.5;

void change(Genome& genome, std::size_t axis, const Lattice& lattice, Random& random) {
    const std::uint64_t count = lattice.count(axis);
    std::uint64_t& digit = genome[axis];
    if (lattice.is_ordered(axis) && random.chance(small_changes)) {
        const bool up = digit == 0 || (digit + 1 < count && random.chance(0.5));
        digit = up ? digit + 1 : digit - 1;
    } else {
        const std::uint64_t other = random.below(count - 1);
        digit = other < digit ? other : other + 1;
    }
}

/// On one axis on average, on one at least where `always` says so.
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
        // What was tried in vain is known or outside: it takes more to get away from there.
        mutate(child, knowledge.lattice(), random, !crossed || i > 0);
        for (int more = 0; more < i / 20; ++more) mutate(child, knowledge.lattice(), random, true);
        if (knowledge.claim(child)) return child;
    }
    return std::nullopt;
}

}  // namespace dse::explore
