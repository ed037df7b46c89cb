#pragma once

#include <string>
#include <unordered_map>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// What the comments before a graph state about its ranks.
struct ProcessGroups {
    DeviceMesh mesh;                                       ///< without axes: not stated
    std::unordered_map<std::string, DeviceGroups> groups;  ///< by name of the process group
};

/// Reads the comment lines at the beginning of the text. \throws InputError if they contradict themselves
ProcessGroups read_process_groups(const Source& source);

/// Sets the ranks of a program's collectives. Without any such comments the program has as many devices as
/// its largest process group.
/// \throws InputError at a collective whose group is missing from the comments
void apply(const ProcessGroups& groups, Program& program, const Source& source);

}  // namespace dse::ir::fx
