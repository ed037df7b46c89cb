#include "results/durable_rename.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw InputError(
        fmt::format("cannot write '{}': {}", path.string(), std::generic_category().message(errno)));
}

void synchronise(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path);
    const int result = ::fsync(descriptor);
    const int why = errno;
    ::close(descriptor);
    errno = why;
    // Some file systems cannot synchronise a folder and report EINVAL.
    if (result != 0 && why != EINVAL) fail(path);
}

}  // namespace

void durable_rename(const std::filesystem::path& from, const std::filesystem::path& to) {
    synchronise(from);
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to);
    synchronise(to.has_parent_path() ? to.parent_path() : std::filesystem::path{"."});
}

}  // namespace dse::results
