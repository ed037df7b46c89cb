#pragma once

#include <string>
#include <unordered_map>

#include "dse/ir/program/program.hpp"
#include "dse/ir/readers/source.hpp"

namespace dse::ir::fx {

/// What the comments before a graph say of the ranks that it is for.
struct ProcessGroups {
    DeviceMesh mesh;                                       ///< without axes: no comment says
    std::unordered_map<std::string, DeviceGroups> groups;  ///< by the process group's name
};

/// Of comment lines at the text's beginning. \throws InputError where they contradict themselves
ProcessGroups read_process_groups(const Source& source);

/// Tells a program's collectives their ranks. Without any of these comments a program has as many devices as
/// its largest process group. \throws InputError at a collective whose group the comments leave out
void apply(const ProcessGroups& groups, Program& program, const Source& source);

}  // namespace dse::ir::fx
