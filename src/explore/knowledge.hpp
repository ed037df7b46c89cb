#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "explore/archive.hpp"
#include "explore/lattice.hpp"
#include "explore/random.hpp"
#include "explore/solution.hpp"

namespace dse::explore {

/// What the methods of a search share: which points were asked for, what came of them, the best of them.
class Knowledge {
  public:
    /// \param lattice  outlives this
    Knowledge(const Lattice& lattice, std::uint64_t seed) : lattice_{lattice}, random_{seed} {}

    [[nodiscard]] const Lattice& lattice() const { return lattice_; }
    [[nodiscard]] Random& random() { return random_; }

    /// Makes the genome one that is asked for, unless it is no point of the space or was asked for already.
    /// \param genome  its idle axes are put right
    /// \return whether it is to be evaluated now
    bool claim(Genome& genome);

    /// A point that nobody asked for, and claims it; nothing when none is left. Drawn uniformly; where the
    /// space is so sparse that draws miss it, the next one after a place that is drawn.
    std::optional<Genome> claim_any();

    /// Takes a claim back: the point will not be evaluated.
    void release(const Genome& genome) { asked_.erase(genome); }

    void learn(const Solution& solution);

    /// All that were told, in the order of asking.
    [[nodiscard]] std::span<const Solution> solutions() const { return solutions_; }
    [[nodiscard]] const Archive& best() const { return best_; }

  private:
    std::optional<Genome> claim_after(std::uint64_t first, std::uint64_t last);
    std::optional<Genome> claim_left();

    const Lattice& lattice_;
    Random random_;
    std::unordered_set<Genome, GenomeHash> asked_;
    space::Point point_;
    std::uint64_t looked_at_{0};  ///< ids of the grid below it are asked for, or no points
    std::vector<Solution> solutions_;
    Archive best_;
};

}  // namespace dse::explore
