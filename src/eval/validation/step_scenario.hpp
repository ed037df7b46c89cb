#pragma once

#include "dse/config/library.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/frontend/model_file.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The scenario of a measured training step or prefill: the row's layout and sizes, under the software that
/// its source describes. Its model is the row's id if no file describes it (described_model).
/// \param row  with the names of its source (with_known_names)
/// \throws ModelError with the reason if the row does not state enough, or states what is not known
study::Scenario step_scenario(const TruthRow& row, const TruthSource& source, const config::Library& library);

/// The dense decoder whose sizes a row states (columns layers, hidden, heads, ...).
/// \throws ModelError if it states none, or experts, or heads that no template has
frontend::ModelFile described_model(const TruthRow& row, const TruthSource& source);

}  // namespace dse::eval
