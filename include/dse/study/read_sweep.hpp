#pragma once

#include <string>
#include <vector>

#include "dse/study/draft.hpp"
#include "dse/study/predictor_names.hpp"
#include "dse/study/setting.hpp"

namespace dse::study {

/// Reads a sweep with the clusters, devices and stacks that it refers to. What is wrong stands in the draft's
/// diagnostics; complete() says so, after whoever reads models and programs has added what is wrong with
/// those.
/// \throws InputError where the file cannot be read as a document at all
Draft read_sweep(const std::string& file, const std::vector<Setting>& settings, const PredictorNames& names);

}  // namespace dse::study
