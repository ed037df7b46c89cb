#pragma once

#include <string>
#include <vector>

#include "dse/study/predictor_names.hpp"
#include "dse/study/setting.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Every predictor that a sweep's fidelity may name.
study::PredictorNames predictor_names();

/// Reads a sweep with everything it refers to: model, template, program, cluster, device.
/// \throws InputError with every error of every file, each with its place
study::Sweep load_sweep(const std::string& file, const std::vector<study::Setting>& settings);

}  // namespace dse::eval
