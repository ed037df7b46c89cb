#include "explore/knowledge.hpp"

#include "dse/space/grid_cursor.hpp"

namespace dse::explore {
namespace {

/// A draw takes about a microsecond; evaluating a point takes tens of them.
constexpr int most_draws = 1000;
/// Number of points tried after a random position before the grid is walked from its start.
constexpr int most_steps = 1000;

}  // namespace

bool Knowledge::claim(Genome& genome) {
    // Settling takes several times as long as looking it up, and would change nothing of what was asked for.
    if (asked_.contains(genome)) return false;
    return lattice_.settle(genome, point_) && asked_.insert(genome).second;
}

std::optional<Genome> Knowledge::claim_any() {
    for (int i = 0; i < most_draws; ++i) {
        Genome genome = lattice_.draw(random_);
        if (claim(genome)) return genome;
    }
    const auto& size = lattice_.space().grid_size().exact;
    if (!size) return std::nullopt;
    if (auto genome = claim_after(random_.below(*size), *size)) return genome;
    return claim_left();
}

std::optional<Genome> Knowledge::claim_after(std::uint64_t first, std::uint64_t last) {
    space::GridCursor cursor{lattice_.space(), first, last};
    for (int i = 0; i < most_steps && cursor.next(point_); ++i) {
        Genome genome = lattice_.genome_of(point_.id);
        if (claim(genome)) return genome;
    }
    return std::nullopt;
}

std::optional<Genome> Knowledge::claim_left() {
    space::GridCursor cursor{lattice_.space(), looked_at_, *lattice_.space().grid_size().exact};
    while (cursor.next(point_)) {
        looked_at_ = cursor.position();
        Genome genome = lattice_.genome_of(point_.id);
        if (claim(genome)) return genome;
    }
    looked_at_ = *lattice_.space().grid_size().exact;
    return std::nullopt;
}

void Knowledge::learn(const Solution& solution) {
    solutions_.push_back(solution);
    best_.admit(solution);
}

}  // namespace dse::explore
