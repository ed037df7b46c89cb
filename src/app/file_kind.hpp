#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/config/node.hpp"

namespace dse::app {

/// Kind of an input file of dse: YAML, a table, a Chakra trace, or a compiler's program.
enum class FileKind : std::uint8_t {
    sweep,
    model,
    template_file,
    device,
    cluster,
    stack,
    table,
    learned,
    foreign_costs,
    components,      ///< electric power of devices, hosts and facilities
    sources,         ///< software and machines of measured steps, for `dse validate --sources`
    serving_facts,   ///< likewise, of measured deployments
    energy_facts,    ///< likewise, of measured power
    error_bars,      ///< errors of predictions, by family
    left_out,        ///< CSV: errors of rows under constants fitted without them
    throughputs,     ///< CSV: published throughputs of engines, for scripts of analysis/
    row_errors,      ///< CSV: errors of predicted steps or memory, likewise
    unknown_errors,  ///< CSV: errors where a chip or the software is not known, likewise
    measurements,    ///< CSV: measured steps, deployments or power, for `dse validate --truth`
    kernels,         ///< CSV: kernels with their times
    requests,        ///< CSV or JSON Lines: a trace of requests
    family,          ///< of traces, as `dse synth fit` writes it
    trace,
    program,
    unknown
};

std::string_view name(FileKind kind);

/// Kind of a YAML file, determined by keys that only one kind has (foreign costs: some value is a map with
/// `flops`), or, if it has none of these keys, by its folder or by that of its `base`.
FileKind kind_of(const config::Node& root, const std::string& file);

/// Why the base of a file does not say its kind: "names the base 'b200_sxn', which is no file (did you mean
/// …?)". Empty for a file without one, and if there is one such file.
std::string missing_base(const config::Node& root, const std::string& file);

/// What all kinds of YAML files are called, each with keys that it is known by.
std::string kinds_and_keys();

/// Whether a file is in a folder of bases, which lack what their heirs have to state.
bool is_base(const std::string& file);

}  // namespace dse::app
