#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dse/base/seed.hpp"
#include "dse/space/space.hpp"
#include "explore/random.hpp"

namespace dse::explore {

/// A point of a grid: per axis, the index of its value.
using Genome = std::vector<std::uint64_t>;

struct GenomeHash {
    std::size_t operator()(const Genome& genome) const {
        std::uint64_t hash = genome.size();
        for (const std::uint64_t digit : genome) hash = seed_of(hash, digit);
        return hash;
    }
};

/// The grid of a space as searches move on it: numeric axes are ordered, axes of names are not.
class Lattice {
  public:
    /// \throws InputError if an axis is a range without steps
    explicit Lattice(std::shared_ptr<const space::Space> space);

    [[nodiscard]] std::size_t axes() const { return counts_.size(); }
    /// Number of values of an axis.
    [[nodiscard]] std::uint64_t count(std::size_t axis) const { return counts_[axis]; }
    [[nodiscard]] bool is_ordered(std::size_t axis) const { return ordered_[axis]; }
    /// Axes with more than one value.
    [[nodiscard]] const std::vector<std::size_t>& free_axes() const { return free_; }
    [[nodiscard]] const space::Space& space() const { return *space_; }

    /// Computes the point of a genome.
    /// \param genome  its digits on idle axes are normalised
    /// \return whether the point is in the space
    bool settle(Genome& genome, space::Point& point) const;

    /// Draws a point of the grid, in the space or not.
    [[nodiscard]] Genome draw(Random& random) const;

    /// \param id  index in the grid, whose size is exact
    [[nodiscard]] Genome genome_of(std::uint64_t id) const;
    /// \param values  shape (width(),), of a point of the space
    [[nodiscard]] Genome genome_at(std::span<const double> values) const;
    /// \return nothing if the grid has more points than 63 bits can number
    [[nodiscard]] std::optional<std::uint64_t> id_of(const Genome& genome) const;

  private:
    std::shared_ptr<const space::Space> space_;
    std::vector<std::uint64_t> counts_;
    std::vector<bool> ordered_;
    std::vector<std::size_t> free_;
    std::vector<std::uint64_t> stand_ins_;  ///< for each of the space's conditions, the digit of its stand-in
};

}  // namespace dse::explore
