#include "dse/graph/expert_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dse/base/check.hpp"
#include "dse/graph/fullest_touched_share.hpp"
#include "dse/graph/software_stack.hpp"
#include "graph/largest_of_normals.hpp"

namespace dse::graph {
namespace {

/// Mean and mean square of the readings of an expert.
struct Moments {
    double mean{0.0};
    double square{0.0};

    void add(double probability, double readings) {
        mean += probability * readings;
        square += probability * readings * readings;
    }
};

double readings_of(double rows, double tile, double reading) {
    return rows > 0.0 ? 1.0 + reading * (std::ceil(rows / tile) - 1.0) : 0.0;
}

/// Of an expert that each of `tokens` tokens chooses with this probability.
Moments readings_of(double tokens, double probability, double tile, double reading) {
    Moments moments;
    const double none = std::pow(1.0 - probability, tokens);
    const double mean = tokens * probability;
    // So many rows that the remainder of the last tile may be anything: half a tile on average. Unless nearly
    // all tokens choose the expert.
    constexpr double least_probability = 1e-250;
    if (none < least_probability) {
        const bool is_certain = mean * (1.0 - probability) < 0.25;
        moments.add(1.0, is_certain ? readings_of(mean, tile, reading)
                                    : 1.0 + reading * std::max(0.0, mean / tile - 0.5));
        return moments;
    }
    // The binomial distribution by its recurrence, for a whole number of tokens or not.
    constexpr double negligible = 1e-9;
    double rest = 1.0 - none;
    double each = none;
    for (double rows = 0.0; rows < tokens && (rest > negligible || rows < mean); rows += 1.0) {
        each *= (tokens - rows) / (rows + 1.0) * probability / (1.0 - probability);
        const double part = std::clamp(each, 0.0, rest);
        moments.add(part, readings_of(rows + 1.0, tile, reading));
        rest -= part;
    }
    moments.add(rest, readings_of(std::max(mean, 1.0), tile, reading));
    return moments;
}

}  // namespace

ExpertTiles tiles_of(const SoftwareStack& stack) {
    return {stack.least_expert_tile, stack.expert_tile_margin, stack.tile_reading};
}

double rows_of_tile(const ExpertTiles& tiles, double mean) {
    // The widest of these kernels until they were chosen by measurement.
    constexpr double most = 64.0;
    const double rows = std::clamp(std::floor(mean * tiles.margin), 1.0, most);
    const auto whole = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(rows)));
    return std::clamp(whole, static_cast<double>(tiles.least), most);
}

double fullest_readings(const Routing& routing, const RoutedLayer& layer, double tokens,
                        const ExpertTiles& tiles) {
    DSE_EXPECT(tokens >= 0.0);
    if (tiles.least == 0) return fullest_touched_share(routing, layer, tokens);
    const auto experts = static_cast<double>(layer.experts);
    const double tile = rows_of_tile(tiles, tokens * static_cast<double>(layer.chosen) / experts);
    Moments all;
    double last = -1.0;  // equally popular experts are alike
    Moments own;
    for (const double probability : popularity(routing, layer)) {
        if (probability != last) own = readings_of(tokens, probability, tile, tiles.reading);
        last = probability;
        all.mean += own.mean / experts;
        all.square += own.square / experts;
    }
    if (layer.devices == 1) return all.mean;
    const double each = experts / static_cast<double>(layer.devices);
    const double deviation = std::sqrt(std::max(0.0, all.square - all.mean * all.mean) / each);
    return all.mean + deviation * largest_of_normals(layer.devices);
}

}  // namespace dse::graph
