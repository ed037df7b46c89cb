#include "app/carried_sweep.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

/// Next to `beside`, or in temporary_folder() if nothing can be written there, as in an archive.
std::filesystem::path path_of_copy(const std::filesystem::path& beside) {
    const std::filesystem::path path = fmt::format("{}.sweep-{}.yaml", beside.string(), getpid());
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    return access(folder.c_str(), W_OK) == 0 ? path : temporary_folder() / path.filename();
}

}  // namespace

CarriedSweep::CarriedSweep(const std::string& beside, const std::string& yaml) : file_{path_of_copy(beside)} {
    errno = 0;
    std::ofstream stream(file_.path(), std::ios::binary);
    stream << yaml;
    stream.flush();
    if (!stream) {
        throw InputError(fmt::format("cannot write '{}', a temporary copy of the sweep: {}", path(),
                                     std::strerror(errno != 0 ? errno : EIO)));
    }
}

}  // namespace dse::app
