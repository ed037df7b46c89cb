#include "dse/hardware/side_files.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace dse::hardware {
namespace {

void add_files_of(const DeviceSpec& device, std::set<std::string>& files) {
    if (device.table.exists()) files.insert(device.table.rows_path);
    if (device.learned.trees != nullptr) files.insert(device.learned.trees->path());
}

/// Trace files are numbered from 0, one per member.
void add_files_of(const ScheduleSpec& schedule, std::set<std::string>& files) {
    std::error_code none;
    for (int member = 0;; ++member) {
        const std::string path = fmt::format("{}.{}.et", schedule.prefix, member);
        if (!std::filesystem::is_regular_file(path, none)) return;
        files.insert(path);
    }
}

}  // namespace

std::set<std::string> side_files(const SystemSpec& system) {
    std::set<std::string> files;
    add_files_of(system.cluster.device, files);
    for (const DeviceClassSpec& other : system.device_classes) add_files_of(other.device, files);
    for (const ScheduleSpec& schedule : system.cluster.network.collective.schedules)
        add_files_of(schedule, files);
    files.erase("");
    return files;
}

}  // namespace dse::hardware
