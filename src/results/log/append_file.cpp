#include "results/log/append_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

[[noreturn]] void fail(const std::string& path, int why) {
    throw InputError(fmt::format("cannot write '{}': {}", path, std::generic_category().message(why)));
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path)
    : path_{std::move(path)},
      shown_{path_.string()},
      descriptor_{
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666)} {
    if (descriptor_ < 0) fail(shown_, errno);
}

AppendFile::AppendFile(int descriptor, std::filesystem::path path, std::string shown)
    : path_{std::move(path)}, shown_{std::move(shown)}, descriptor_{descriptor} {}

AppendFile AppendFile::nameless(const std::filesystem::path& folder) {
    std::string name = folder / ".dse-rows-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) fail(name, errno);
    ::unlink(name.c_str());
    return {descriptor, fmt::format("/proc/self/fd/{}", descriptor), std::move(name)};
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_{std::move(other.path_)},
      shown_{std::move(other.shown_)},
      descriptor_{std::exchange(other.descriptor_, -1)},
      size_{other.size_} {}

AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::span<const std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            const int why = errno;
            // If this fails as well, readers skip the torn end.
            static_cast<void>(::ftruncate(descriptor_, static_cast<off_t>(size_)) == 0);
            fail(shown_, why);
        }
        done += static_cast<std::size_t>(count);
    }
    size_ += bytes.size();
}

}  // namespace dse::results
