#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/space.hpp"
#include "dse/study/scenario.hpp"
#include "dse/study/uncertain_spec.hpp"

namespace dse::study {

/// A sweep file, read and checked: fixed values, axes, objectives.
struct Sweep {
    std::string name;
    std::string file;
    std::string yaml;                   ///< as the user gave it
    std::vector<std::string> settings;  ///< what `--set` changed of it, as "key=value"
    config::Library library{{}};
    Scenario base;
    std::shared_ptr<const space::Space> space;
    std::vector<metrics::Objective> objectives;
    /// Whether points describe a workload on a machine; optional if an external program evaluates them.
    bool has_scenario{true};
    std::optional<UncertainSpec> uncertain;
    std::optional<FidelitySpec> confirm;  ///< for the points that a screening search finds promising
    /// Paths of the fields that the sweep itself sets. They take precedence over files named by an axis: the
    /// `zero: 3` of a workload applies under every stack, a bandwidth set beside the cluster's name in every
    /// cluster.
    std::vector<std::string> stated;
    /// Everything that determines the rows, by key: the space, every field of the base scenario, the fields
    /// set by the sweep, and the content of every file that a point may name.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<config::Diagnostic> warnings;
};

}  // namespace dse::study
