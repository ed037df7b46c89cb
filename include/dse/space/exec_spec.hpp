#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"

namespace dse::space {

/// A column of answers beside the metrics that dse computes.
struct AddedMetric {
    std::string name;
    std::string unit;  ///< "1" where it has none
};

/// How a program is told of a point.
enum class ExecInput : std::uint8_t {
    lines,     ///< one process for all points: a line of JSON in, a line of JSON out
    arguments  ///< a process a point: {name} in the command, else --name=value behind it
};

/// A program of the user's that answers points: `exec` of a sweep.
struct ExecSpec {
    std::vector<std::string> command;
    ExecInput input{ExecInput::lines};
    std::vector<AddedMetric> metrics;  ///< what it answers with, beside names of dse's own metrics
    Seconds time_limit{60.0};          ///< of one point; 0: none
    std::string folder;                ///< in which it runs: that of the sweep
    std::vector<std::string> files;    ///< named in the command: "path digest", since they decide the rows
};

/// Reads `exec`. Every error goes to the diagnostics.
ExecSpec read_exec(const config::Node& node, config::Diagnostics& diagnostics);

}  // namespace dse::space
