#pragma once

#include <cstdint>
#include <string>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// The collective that a schedule implements.
enum class ScheduledCollective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };
DSE_CHOICES(ScheduledCollective, all_reduce, all_gather, reduce_scatter, all_to_all);

/// A collective defined by trace files, such as those of MSCCLang or TACOS. Groups with the same number of
/// members use it instead of the communication library's own algorithm.
struct ScheduleSpec {
    ScheduledCollective collective{ScheduledCollective::all_reduce};
    /// PREFIX of PREFIX.0.et, PREFIX.1.et, …, one file per member.
    std::string prefix;
    /// Size (see graph::Collective) of the collective in the files. Messages scale with the actual size.
    Bytes size;
};

Problems problems_of(const ScheduleSpec& schedule);

/// Resolves a prefix given in a file: relative to that file if the trace files are found there, else
/// unchanged.
std::string found_beside(const config::Node& node, const std::string& prefix);

template <class Visitor>
void describe(Visitor& v, ScheduleSpec& schedule) {
    v.required("collective", schedule.collective, "the collective that it implements");
    v.required("prefix", schedule.prefix, "prefix of its trace files, PREFIX.0.et, PREFIX.1.et, …");
    v.required("size", schedule.size, config::positive, "size of the collective in the trace files");
    if constexpr (requires { v.diagnostics(); }) schedule.prefix = found_beside(v.node(), schedule.prefix);
    check_after_reading(v, schedule);
}

}  // namespace dse::hardware
