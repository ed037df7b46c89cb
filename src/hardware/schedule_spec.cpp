#include "dse/hardware/schedule_spec.hpp"

#include <array>

namespace dse::hardware {

std::span<const std::string_view> choice_names(ScheduledCollective) {
    static constexpr std::array<std::string_view, 4> names{"all_reduce", "all_gather", "reduce_scatter",
                                                           "all_to_all"};
    return names;
}

Problems problems_of(const ScheduleSpec& schedule) {
    Problems problems;
    problems.expect(!schedule.prefix.empty(), "prefix", "names no files");
    problems.positive("size", schedule.size, "messages grow with it");
    return problems;
}

}  // namespace dse::hardware
