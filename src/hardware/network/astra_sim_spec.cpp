#include "dse/hardware/network/astra_sim_spec.hpp"

namespace dse::hardware {

Problems problems_of(const AstraSimSpec& astra_sim) {
    return out_of_range(astra_sim);
}

}  // namespace dse::hardware
