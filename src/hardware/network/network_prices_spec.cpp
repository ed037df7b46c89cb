#include "dse/hardware/network/network_prices_spec.hpp"

#include <algorithm>
#include <cmath>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::hardware {
namespace {

constexpr DollarsPerSecond nothing{};

/// Price at another rate: twice the rate takes twice the lanes, ports and optics.
DollarsPerSecond grown(DollarsPerSecond price, BytesPerSecond bandwidth, BytesPerSecond rate) {
    return price > nothing ? price * (bandwidth / rate) : nothing;
}

/// Price per device of its share of the domain's network, at the priced rate.
DollarsPerSecond inside_domains(const NetworkSpec& network, std::int64_t devices_per_node) {
    const NetworkPricesSpec& prices = network.prices;
    if (prices.scale_up_doubling <= nothing) return prices.scale_up;
    const double nodes = static_cast<double>(network.scale_up.domain) / static_cast<double>(devices_per_node);
    return prices.scale_up + prices.scale_up_doubling * std::max(0.0, std::log2(nodes));
}

/// Switch ports per device, counted at the device's full bandwidth.
double switch_ports(std::int64_t tiers, double oversubscription) {
    return 1.0 + 2.0 * static_cast<double>(tiers - 1) / oversubscription;
}

}  // namespace

Problems problems_of(const NetworkPricesSpec& prices) {
    Problems problems = out_of_range(prices);
    constexpr const char* message = "a price needs the bandwidth that it is for";
    const bool pays_out = prices.nic > nothing || prices.port > nothing || prices.optics > nothing;
    const bool pays_up = prices.scale_up > nothing || prices.scale_up_doubling > nothing;
    problems.expect(!pays_out || prices.scale_out_rate > BytesPerSecond{}, "scale_out_rate", message);
    problems.expect(!pays_up || prices.scale_up_rate > BytesPerSecond{}, "scale_up_rate", message);
    return problems;
}

DollarsPerSecond network_rent(const NetworkSpec& network, std::int64_t devices_per_node) {
    const NetworkPricesSpec& prices = network.prices;
    const double ports = switch_ports(prices.tiers, network.scale_out.oversubscription);
    const DollarsPerSecond out = prices.nic + (prices.port + prices.optics) * ports;
    return grown(inside_domains(network, devices_per_node), network.scale_up.link.bandwidth,
                 prices.scale_up_rate) +
           grown(out, network.scale_out.link.bandwidth, prices.scale_out_rate);
}

}  // namespace dse::hardware
