#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"

namespace dse::space {

/// A column of results in addition to the metrics that dse computes.
struct AddedMetric {
    std::string name;
    std::string unit;  ///< "1" if it has none
};

/// How a point is passed to a program.
enum class ExecInput : std::uint8_t {
    lines,     ///< one process for all points: one line of JSON in, one line of JSON out
    arguments  ///< one process per point: {name} in the command, else --name=value appended to it
};

/// A user's program that evaluates points: `exec` of a sweep.
struct ExecSpec {
    std::vector<std::string> command;
    ExecInput input{ExecInput::lines};
    std::vector<AddedMetric> metrics;  ///< metrics that it returns in addition to dse's own
    Seconds time_limit{60.0};          ///< per point; 0: none
    std::string folder;                ///< working directory: the folder of the sweep
    std::vector<std::string> files;    ///< "path digest" of files named in the command, which affect the rows
};

/// Reads `exec`. All errors go to the diagnostics.
ExecSpec read_exec(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::space
