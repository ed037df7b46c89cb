#include "dse/hardware/network/domain_links.hpp"

#include "dse/base/check.hpp"

namespace dse::hardware {
namespace {

bool is_full_connection(const NetworkSpec& network) {
    return !network.dimensions.empty() && network.dimensions[0].kind == DimensionKind::fully_connected;
}

}  // namespace

DomainLinks::DomainLinks(const NetworkSpec& network)
    : others_{is_full_connection(network) ? network.scale_up.domain - 1 : 0} {}

double DomainLinks::share(std::int64_t members) const {
    DSE_EXPECT(members >= 1);
    if (!are_direct() || members == 1 || members > others_) return 1.0;
    return static_cast<double>(members - 1) / static_cast<double>(others_);
}

}  // namespace dse::hardware
