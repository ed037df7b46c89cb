#pragma once

#include <string>
#include <vector>

#include "dse/study/predictor_names.hpp"
#include "dse/study/setting.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// All predictors that a sweep's fidelity can name.
study::PredictorNames predictor_names();

/// Reads a sweep and everything that it refers to: model, template, program, cluster, device.
/// \throws InputError listing all errors of all files with their locations
study::Sweep load_sweep(const std::string& file, const std::vector<study::Setting>& settings);

}  // namespace dse::eval
