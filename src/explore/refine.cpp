#include "explore/refine.hpp"

#include <algorithm>
#include <limits>

#include "explore/ranking.hpp"

namespace dse::explore {

Refine::Refine(Knowledge& knowledge, std::size_t draws)
    : knowledge_{knowledge}, draws_{draws - std::min(draws, knowledge.solutions().size())} {}

Refine::~Refine() {
    for (const Genome& genome : waiting_) knowledge_.release(genome);
}

std::vector<Genome> Refine::propose(std::size_t most) {
    std::vector<Genome> genomes;
    for (; draws_ > 0 && genomes.size() < most; --draws_) {
        auto genome = knowledge_.claim_any();
        if (!genome) break;
        genomes.push_back(std::move(*genome));
    }
    while (genomes.size() < most) {
        if (waiting_.empty() && !expand_next()) break;
        if (waiting_.empty()) continue;
        genomes.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return genomes;
}

void Refine::learn(std::span<const Solution> /*solutions*/) {}

/// Expands the least crowded member of the front.
/// \return false if all of them have been expanded
bool Refine::expand_next() {
    const std::vector<Solution>& members = knowledge_.best().members();
    if (members.empty()) return false;
    const std::vector<double> crowding = crowding_of(members);
    const Solution* best = nullptr;
    double room = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (crowding[i] <= room || expanded_.contains(members[i].genome)) continue;
        best = &members[i];
        room = crowding[i];
    }
    if (best == nullptr) return false;
    expanded_.insert(best->genome);
    expand(best->genome);
    return true;
}

void Refine::expand(const Genome& genome) {
    const Lattice& lattice = knowledge_.lattice();
    for (const std::size_t axis : lattice.free_axes()) {
        const std::uint64_t here = genome[axis];
        if (lattice.is_ordered(axis)) {
            if (here > 0) step(genome, axis, here - 1);
            if (here + 1 < lattice.count(axis)) step(genome, axis, here + 1);
            continue;
        }
        for (std::uint64_t digit = 0; digit < lattice.count(axis); ++digit) {
            if (digit != here) step(genome, axis, digit);
        }
    }
}

void Refine::step(const Genome& genome, std::size_t axis, std::uint64_t digit) {
    Genome neighbour = genome;
    neighbour[axis] = digit;
    space::Point point;
    if (!knowledge_.lattice().settle(neighbour, point)) {
        neighbour = genome;
        neighbour[axis] = digit;
        step_with_another(neighbour, axis);
    } else if (knowledge_.claim(neighbour)) {
        waiting_.push_back(std::move(neighbour));
    }
}

/// For each other axis, takes the nearest value that leads back into the space.
void Refine::step_with_another(const Genome& genome, std::size_t axis) {
    const Lattice& lattice = knowledge_.lattice();
    space::Point point;
    for (const std::size_t other : lattice.free_axes()) {
        if (other == axis) continue;
        const auto here = static_cast<std::int64_t>(genome[other]);
        const auto count = static_cast<std::int64_t>(lattice.count(other));
        bool found = false;
        for (std::int64_t distance = 1; distance < std::min<std::int64_t>(count, 64) && !found; ++distance) {
            for (const std::int64_t digit : {here - distance, here + distance}) {
                if (digit < 0 || digit >= count) continue;
                Genome neighbour = genome;
                neighbour[other] = static_cast<std::uint64_t>(digit);
                if (!lattice.settle(neighbour, point)) continue;
                found = true;
                if (knowledge_.claim(neighbour)) waiting_.push_back(std::move(neighbour));
                break;
            }
        }
    }
}

}  // namespace dse::explore
