#pragma once

#include <string>

#include "dse/synth/family.hpp"

namespace dse::app::synth {

/// Reads a family by the path of its file, or by its name as sweeps do (`dse list families`).
dse::synth::Family named_family(const std::string& name);

}  // namespace dse::app::synth
