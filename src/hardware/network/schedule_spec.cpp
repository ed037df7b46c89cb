#include "dse/hardware/network/schedule_spec.hpp"

#include <filesystem>
#include <system_error>

namespace dse::hardware {

std::string found_beside(const config::Node& node, const std::string& prefix) {
    namespace fs = std::filesystem;
    if (prefix.empty() || !node.location().file) return prefix;
    const std::string beside = (fs::path{*node.location().file}.parent_path() / prefix).string();
    std::error_code ignored;
    return fs::is_regular_file(beside + ".0.et", ignored) ? beside : prefix;
}

Problems problems_of(const ScheduleSpec& schedule) {
    Problems problems = out_of_range(schedule);
    problems.expect(!schedule.prefix.empty(), "prefix", "names no files");
    return problems;
}

}  // namespace dse::hardware
