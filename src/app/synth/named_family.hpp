#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "dse/synth/family.hpp"

namespace dse::app::synth {

/// Reads a family by the path of its file, or by its name as sweeps do (`dse list families`).
dse::synth::Family named_family(const std::string& name);

/// Adds the argument that names a family.
void add_family(CLI::App& app, std::string& family);

/// Adds the options of commands that draw samples: how many, and the seed.
void add_samples(CLI::App& app, std::uint64_t& number, std::uint64_t& seed);

}  // namespace dse::app::synth
