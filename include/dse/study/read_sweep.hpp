#pragma once

#include <string>
#include <vector>

#include "dse/study/draft.hpp"
#include "dse/study/predictor_names.hpp"
#include "dse/study/setting.hpp"

namespace dse::study {

/// Reads a sweep with the clusters, devices and stacks that it refers to. Errors are collected in the draft's
/// diagnostics; complete() reports them, once those of models and programs have been added.
/// \throws InputError if the file cannot be read as a document
Draft read_sweep(const std::string& file, const std::vector<Setting>& settings, const PredictorNames& names);

}  // namespace dse::study
