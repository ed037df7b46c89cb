#pragma once

#include <memory>

#include "dse/explore/campaign.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// The same evaluator, with the metrics that the space derives (`metrics`) appended to those it adds itself.
Evaluate with_derived_metrics(const std::shared_ptr<const space::Space>& space, Evaluate evaluate);

}  // namespace dse::explore
