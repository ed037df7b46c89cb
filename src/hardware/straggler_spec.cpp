#include "dse/hardware/straggler_spec.hpp"

namespace dse::hardware {

Problems problems_of(const StragglerSpec& stragglers) {
    return out_of_range(stragglers);
}

}  // namespace dse::hardware
