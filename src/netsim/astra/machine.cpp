#include "dse/netsim/astra/machine.hpp"

#include <algorithm>

namespace dse::netsim {

Ticks AstraCompute::roofline(double operations, double bytes) const {
    DSE_EXPECT(operations > 0.0 && bytes > 0.0);
    // In ASTRA-sim's order of operations, so that each step rounds the same.
    const double intensity = operations / bytes;
    const double rate = std::min(bandwidth * intensity, peak);
    const double seconds = operations / rate;
    return whole_ticks(seconds * 1e9);
}

Ticks AstraCompute::recorded(std::uint64_t micros) {
    if (micros == 0) return 1;
    static_cast<void>(whole_ticks(static_cast<double>(micros) * 1e3));
    return static_cast<Ticks>(micros) * 1000;
}

}  // namespace dse::netsim
