#include "dse/hardware/network/collective_spec.hpp"

namespace dse::hardware {

Problems problems_of(const CollectiveSpec& collective) {
    return out_of_range(collective);
}

}  // namespace dse::hardware
