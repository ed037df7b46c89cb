#pragma once

#include <span>
#include <string>

#include "dse/model/compute/systolic/systolic_run.hpp"

namespace dse::model {

/// SCALE-Sim's reports, column for column and in its way of writing numbers: one line a layer, in order.
std::string compute_report(std::span<const SystolicLayerRun> runs);
std::string bandwidth_report(std::span<const SystolicLayerRun> runs);
std::string access_report(std::span<const SystolicLayerRun> runs);

}  // namespace dse::model
