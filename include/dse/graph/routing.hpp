#pragma once

#include <cstdint>
#include <vector>

#include "dse/config/choices.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// How evenly a router spreads tokens over experts.
enum class Imbalance : std::uint8_t {
    balanced,  ///< every expert gets the same number of tokens
    in_turn,   ///< likewise, and each token takes the experts that follow those of the token before it
    uniform,   ///< all choices are equally likely; token counts vary at random
    zipf,      ///< popular and unpopular experts: the i-th is chosen in proportion to i^-skew
};
DSE_CHOICES(Imbalance, balanced, in_turn, uniform, zipf);

/// How tokens are routed to the experts of a mixture.
struct Routing {
    Imbalance imbalance{Imbalance::balanced};
    double skew{1.0};  ///< exponent of zipf, in [0, 10]
    /// Rows per expert, as a multiple of the mean: surplus tokens are dropped, missing ones padded. 0:
    /// dropless.
    double capacity_factor{0.0};
    std::int64_t seed{0};  ///< selects which experts are popular
    friend bool operator==(const Routing&, const Routing&) = default;
};

template <class Visitor>
void describe(Visitor& v, Routing& routing) {
    v.optional("imbalance", routing.imbalance, "how evenly tokens are distributed over experts");
    v.optional("routing_skew", routing.skew, config::between(0, 10), "with imbalance zipf: exponent");
    v.optional("capacity_factor", routing.capacity_factor, config::between(0, 1e6),
               "rows per expert as a multiple of the mean, by dropping and padding; 0: dropless");
    v.optional("routing_seed", routing.seed, config::not_negative,
               "with imbalance zipf: selects which experts are popular");
}

/// \throws ModelError naming the field that is out of range
void require_valid(const Routing& routing);

/// One layer of experts, distributed over the devices of a group.
struct RoutedLayer {
    std::int64_t experts{1};
    std::int64_t chosen{1};   ///< experts per token
    std::int64_t devices{1};  ///< devices of the group; must divide the experts
    double rows{1};           ///< mean number of token copies per device, > 0
    friend auto operator<=>(const RoutedLayer&, const RoutedLayer&) = default;
};

/// Expected number of rows on the most loaded device of a group, as a multiple of the mean; 1 for a group of
/// one device. Every device waits for the most loaded one.
///  - uniform: rows follow a multinomial, so the maximum over n devices is μ + √μ · E[max of n normals];
///  - zipf: choices without replacement, popular experts placed at random, mean over seeded placements;
///  - with a capacity factor every expert is padded to it, whatever the imbalance.
/// \throws ModelError if a token chooses more experts than there are
double fullest_load(const Routing& routing, const RoutedLayer& layer);

/// Expected number of a token's choices of each expert of a layer, at most 1, `chosen` in total: of `zipf` in
/// proportion to i^-skew, the most popular one first; of all others equal.
std::vector<double> popularity(const Routing& routing, const RoutedLayer& layer);

/// Expected share of a layer's experts that at least one of `tokens` tokens chooses if all choices are
/// equally likely: each token misses an expert with probability 1 - chosen/experts, independently of the
/// others.
/// \param tokens  >= 0, not necessarily an integer
double touched_share(std::int64_t experts, std::int64_t chosen, double tokens);

/// touched_share() if experts are as popular as the routing says; of all but `zipf`, equally.
double touched_share(const Routing& routing, const RoutedLayer& layer, double tokens);

}  // namespace dse::graph
