#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// What a schedule does.
enum class ScheduledCollective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };
std::span<const std::string_view> choice_names(ScheduledCollective);

/// A collective that trace files spell out, as MSCCLang, TACOS and others make them: groups of as many
/// members as it has run it in place of the communication library's own algorithm.
struct ScheduleSpec {
    ScheduledCollective collective{ScheduledCollective::all_reduce};
    /// PREFIX of PREFIX.0.et, PREFIX.1.et, …, one file a member.
    std::string prefix;
    /// Of the collective whose messages the files have (see graph::Collective); theirs grow with it.
    Bytes size;
};

Problems problems_of(const ScheduleSpec& schedule);

/// A prefix as a file says it: beside that file where it has its files there, else as it stands.
std::string found_beside(const config::Node& node, const std::string& prefix);

template <class Visitor>
void describe(Visitor& v, ScheduleSpec& schedule) {
    v.required("collective", schedule.collective, "what it does");
    v.required("prefix", schedule.prefix, "of its trace files, PREFIX.0.et, PREFIX.1.et, …");
    v.required("size", schedule.size, config::positive, "of the collective whose messages the files have");
    if constexpr (requires { v.diagnostics(); }) schedule.prefix = found_beside(v.node(), schedule.prefix);
    check_after_reading(v, schedule);
}

}  // namespace dse::hardware
