#pragma once

#include "dse/study/draft.hpp"

namespace dse::study {

/// Adds warnings of what would make the answers of a sweep mislead, though nothing in it is wrong: devices
/// that run at their peak, and bandwidths that cost nothing where costs are compared.
void add_notes(Draft& draft);

}  // namespace dse::study
