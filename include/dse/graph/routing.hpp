#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/config/range.hpp"

namespace dse::graph {

/// How evenly a router spreads tokens over experts.
enum class Imbalance : std::uint8_t {
    balanced,  ///< every expert gets the same number of tokens
    uniform,   ///< every choice is as likely as another; the numbers scatter
    zipf,      ///< popular and unpopular experts, the i-th chosen in proportion to i^-skew
};
std::span<const std::string_view> choice_names(Imbalance);

/// What happens to tokens on their way to the experts of a mixture.
struct Routing {
    Imbalance imbalance{Imbalance::balanced};
    double skew{1.0};             ///< exponent of zipf, in [0, 10]
    double capacity_factor{0.0};  ///< rows of an expert over the mean, cut and padded to it; 0: dropless
    std::int64_t seed{0};         ///< which experts are the popular ones
    friend bool operator==(const Routing&, const Routing&) = default;
};

template <class Visitor>
void describe(Visitor& v, Routing& routing) {
    v.optional("imbalance", routing.imbalance, "how evenly tokens spread over experts");
    v.optional("routing_skew", routing.skew, config::between(0, 10), "exponent of imbalance zipf");
    v.optional("capacity_factor", routing.capacity_factor, config::between(0, 1e6),
               "rows of an expert over the mean, cut and padded to it; 0: dropless");
    v.optional("routing_seed", routing.seed, config::not_negative,
               "which experts imbalance zipf makes popular");
}

/// \throws ModelError naming the field that is out of its range
void require_valid(const Routing& routing);

/// One layer of experts, spread over the devices of a group.
struct RoutedLayer {
    std::int64_t experts{1};
    std::int64_t chosen{1};   ///< experts a token
    std::int64_t devices{1};  ///< that share the experts evenly; divides them
    double rows{1};           ///< chosen tokens a device on average, > 0
    friend auto operator<=>(const RoutedLayer&, const RoutedLayer&) = default;
};

/// Rows on the fullest device of a group over the mean, expected; 1 where the group is one device.
///  - uniform: rows scatter like a multinomial, so the largest of n devices has μ + √μ · E[max of n normals];
///  - zipf: choices without replacement, popular experts placed at random, mean over seeded placements;
///  - a capacity factor pads every expert to it, whatever the imbalance.
/// Every device waits for the fullest one. \throws ModelError where a token chooses more experts than there
/// are
double fullest_load(const Routing& routing, const RoutedLayer& layer);

/// Share of a layer's experts that at least one of `tokens` tokens chooses, expected where every choice is as
/// likely as another: each token leaves an expert out with probability 1 - chosen/experts, independently of
/// the others. \param tokens  >= 0, whole or not
double touched_share(std::int64_t experts, std::int64_t chosen, double tokens);

}  // namespace dse::graph
