#include "dse/hardware/device/precision_rates.hpp"

namespace dse::hardware {

Problems problems_of(const PrecisionRates& rates) {
    return out_of_range(rates);
}

}  // namespace dse::hardware
