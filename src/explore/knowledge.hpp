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

/// The state that the methods of a search share: which points were asked for, their solutions, and the best
/// of them.
class Knowledge {
  public:
    /// \param lattice  must outlive this object
    Knowledge(const Lattice& lattice, std::uint64_t seed) : lattice_{lattice}, random_{seed} {}

    [[nodiscard]] const Lattice& lattice() const { return lattice_; }
    [[nodiscard]] Random& random() { return random_; }

    /// Claims the genome for evaluation, unless it is no point of the space or was claimed before.
    /// \param genome  its idle axes are normalised
    /// \return whether it is to be evaluated now
    bool claim(Genome& genome);

    /// Claims a point that has not been claimed yet; nothing if none is left. Drawn uniformly; if the space
    /// is so sparse that draws miss it, the next point after a random position.
    std::optional<Genome> claim_any();

    /// Withdraws a claim: the point will not be evaluated.
    void release(const Genome& genome) { asked_.erase(genome); }

    void learn(const Solution& solution);

    /// All solutions learnt, in the order in which their points were asked for.
    [[nodiscard]] std::span<const Solution> solutions() const { return solutions_; }
    [[nodiscard]] const Archive& best() const { return best_; }

  private:
    std::optional<Genome> claim_after(std::uint64_t first, std::uint64_t last);
    std::optional<Genome> claim_left();

    const Lattice& lattice_;
    Random random_;
    std::unordered_set<Genome, GenomeHash> asked_;
    space::Point point_;
    std::uint64_t looked_at_{0};  ///< all grid ids below it are claimed, or not in the space
    std::vector<Solution> solutions_;
    Archive best_;
};

}  // namespace dse::explore
