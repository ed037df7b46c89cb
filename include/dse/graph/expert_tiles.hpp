#pragma once

#include <cstdint>

#include "dse/graph/routing.hpp"

namespace dse::graph {

struct SoftwareStack;

/// Tiles of rows of a kernel that multiplies experts' tokens: see SoftwareStack::least_expert_tile.
struct ExpertTiles {
    std::int64_t least{0};  ///< rows of the narrowest tile; 0: weights are read once
    double margin{1.0};     ///< factor of an expert's mean rows
    double reading{0.0};    ///< time of each further tile of an expert relative to its first
};

/// The tiles of a stack's kernels in steps that decode.
ExpertTiles tiles_of(const SoftwareStack& stack);

/// Rows of a tile: `mean` times the margin, rounded down to a whole number and then up to a power of 2, from
/// `tiles.least` to 64.
/// \param mean  rows of an expert, >= 0
double rows_of_tile(const ExpertTiles& tiles, double mean);

/// Expected number of times that a kernel reads the weights of an expert, on the device of a layer's group
/// where that number is largest: once if any token chose it, and `tiles.reading` times for each further tile
/// of its rows. The rows of an expert are binomial, with the popularity of the routing. Devices as in
/// fullest_touched_share, which it equals if an expert has one tile.
/// \param tokens  of the group, >= 0, not necessarily an integer
double fullest_readings(const Routing& routing, const RoutedLayer& layer, double tokens,
                        const ExpertTiles& tiles);

}  // namespace dse::graph
