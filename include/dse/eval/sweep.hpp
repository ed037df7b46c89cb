#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/library.hpp"
#include "dse/eval/scenario.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/space/space.hpp"

namespace dse::eval {

/// A sweep file, read and checked: what is fixed, what varies, what is wanted.
struct Sweep {
    std::string name;
    std::string file;
    std::string yaml;  ///< as the user gave it
    config::Library library{{}};
    Scenario base;
    std::shared_ptr<const space::Space> space;
    std::vector<metrics::Objective> objectives;
    /// Paths of the fields that the sweep itself gives a value to. They hold whatever file an axis names: the
    /// `zero: 3` of a workload stays under every stack, the bandwidth stated beside a cluster's name in every
    /// cluster.
    std::vector<std::string> stated;
    /// What decides the rows, key by key: the space, every field of the base scenario, what is stated, and
    /// the content of every file that a point may name.
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<config::Diagnostic> warnings;
};

/// `key=value` of the command line: fixes an axis, or sets a field of workload, system or fidelity.
struct Setting {
    std::string key;
    std::string value;
};

/// \throws InputError for a text that is no "key=value"
Setting parse_setting(const std::string& text);

/// Reads a sweep with everything it refers to: model, template, cluster, device.
/// \throws InputError with every error of every file, each with its place
Sweep load_sweep(const std::string& file, const std::vector<Setting>& settings);

}  // namespace dse::eval
