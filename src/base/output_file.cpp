#include "dse/base/output_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse {
namespace {

namespace fs = std::filesystem;

/// Why a stream, which forgets it, could not write.
int reason_of_stream(const fs::path& path, int known) {
    if (known != 0) return known;
    const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) return errno;
    // The file is removed anyway: another write fails for the same reason.
    static constexpr std::array<char, 65536> more{};
    const ssize_t written = ::write(file, more.data(), more.size());
    const int reason = written < 0 ? errno : EIO;
    ::close(file);
    return written >= 0 && written < static_cast<ssize_t>(more.size()) ? ENOSPC : reason;
}

[[noreturn]] void cannot_write(const fs::path& path, int error) {
    throw InputError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

bool is_device(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::is_character_file(status) || fs::is_fifo(status) || fs::is_socket(status);
}

}  // namespace

void require_free(const fs::path& path, Existing existing) {
    std::error_code ignored;
    const fs::file_status found = fs::symlink_status(path, ignored);
    if (fs::is_directory(path, ignored))
        throw InputError(fmt::format("cannot write '{}': it is a directory", path.string()));
    if (existing == Existing::replace || !fs::exists(found) || is_device(path)) return;
    throw InputError(fmt::format("'{}' is there already{} (--force overwrites it)", path.string(),
                                 fs::is_symlink(found) ? ", a symbolic link" : ""));
}

void make_file(const fs::path& path, Existing existing) {
    require_free(path, existing);
    const int exclusive = existing == Existing::refuse && !is_device(path) ? O_EXCL : 0;
    constexpr int mode = 0666;
    std::error_code ignored;
    if (path.has_parent_path() && !fs::exists(path.parent_path(), ignored))
        throw InputError(fmt::format("cannot write '{}': there is no folder '{}'", path.string(),
                                     path.parent_path().string()));
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | exclusive, mode);
    if (file < 0) cannot_write(path, errno);
    ::close(file);
}

OutputFile::OutputFile(std::string path, Existing existing) : path_{std::move(path)} {
    make_file(path_, existing);
    stream_.open(path_, std::ios::binary);
    if (!stream_) cannot_write(path_, EIO);
}

OutputFile::~OutputFile() {
    if (whole_) return;
    stream_.close();
    std::error_code ignored;
    if (!is_device(path_)) fs::remove(path_, ignored);
}

void OutputFile::close() {
    errno = 0;
    stream_.close();
    if (!stream_) cannot_write(path_, reason_of_stream(path_, errno));
    whole_ = true;
}

}  // namespace dse
