#pragma once

#include "dse/config/library_struct.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/frontend/model_file.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// The scenarios of measured training steps and prefills: a row's layout and sizes, under the software that
/// its source describes. Files of machines and stacks are read once.
class StepScenarios {
  public:
    /// \param library  must outlive this object
    explicit StepScenarios(const config::Library& library)
        : clusters_{library, "hardware/clusters"}, stacks_{library, "workloads/stacks"} {}

    /// The model is the row's id if no file describes it (described_model).
    /// \param row  with the names of its source (with_known_names)
    /// \throws ModelError with the reason if the row does not state enough, or states what is not known
    study::Scenario of(const TruthRow& row, const TruthSource& source);

  private:
    config::LibraryShelf<hardware::ClusterSpec> clusters_;
    config::LibraryShelf<graph::NamedStack> stacks_;
};

/// The dense decoder whose sizes a row states (columns layers, hidden, heads, ...).
/// \throws ModelError if it states none, or experts, or heads that no template has
frontend::ModelFile described_model(const TruthRow& row, const TruthSource& source);

}  // namespace dse::eval
