#pragma once

#include <span>
#include <string>

#include "dse/model/compute/systolic/systolic_run.hpp"

namespace dse::model {

/// SCALE-Sim's reports, with the same columns and number format: one line per layer, in order.
std::string compute_report(std::span<const SystolicLayerRun> runs);
std::string bandwidth_report(std::span<const SystolicLayerRun> runs);
std::string access_report(std::span<const SystolicLayerRun> runs);

}  // namespace dse::model
