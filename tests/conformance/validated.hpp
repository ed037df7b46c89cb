#pragma once

#include <string>
#include <vector>

#include "dse/config/node.hpp"
#include "dse/eval/validation/validate.hpp"
#include "support/source_dir.hpp"

namespace dse::conformance {

/// A table of published measurements beside what is predicted from its configurations and the shipped facts
/// of its sources.
inline std::vector<eval::Comparison> compare(const std::string& truth,
                                             const study::FidelitySpec& fidelity = {}) {
    const config::Library library({DSE_SOURCE_DIR});
    config::Diagnostics diagnostics;
    const std::string sources = std::string{DSE_SOURCE_DIR} + "/workloads/measured/sources.yaml";
    const auto facts = eval::read_truth_sources(config::load_yaml(sources, diagnostics), diagnostics);
    diagnostics.throw_if_any();
    return eval::validate(eval::read_truth(truth), facts, library, fidelity);
}

}  // namespace dse::conformance
