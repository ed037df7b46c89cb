#pragma once

#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// The same answers, with what the space derives from them (`metrics`) behind what the evaluator adds.
Evaluate with_derived_metrics(const std::shared_ptr<const space::Space>& space, Evaluate evaluate);

}  // namespace dse::explore
