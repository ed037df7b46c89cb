#include "dse/base/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/descriptor_buffer.hpp"
#include "dse/base/error.hpp"
#include "dse/base/unfinished_files.hpp"

namespace dse {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, int error) {
    throw InputError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

bool is_device(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::is_character_file(status) || fs::is_fifo(status) || fs::is_socket(status);
}

/// A descriptor of an empty file, created exclusively. \throws InputError like make_file
int open_new(const fs::path& path, Existing existing) {
    require_free(path, existing);
    const int exclusive = existing == Existing::refuse && !is_device(path) ? O_EXCL : 0;
    constexpr int mode = 0666;
    std::error_code ignored;
    if (path.has_parent_path() && !fs::exists(path.parent_path(), ignored))
        throw InputError(fmt::format("cannot write '{}': there is no folder '{}'", path.string(),
                                     path.parent_path().string()));
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | exclusive, mode);
    if (file < 0) cannot_write(path, errno);
    return file;
}

}  // namespace

void require_free(const fs::path& path, Existing existing) {
    std::error_code ignored;
    const fs::file_status found = fs::symlink_status(path, ignored);
    if (fs::is_directory(path, ignored))
        throw InputError(fmt::format("cannot write '{}': it is a directory", path.string()));
    if (existing == Existing::replace || !fs::exists(found) || is_device(path)) return;
    throw InputError(fmt::format("'{}' already exists{} (--force overwrites it)", path.string(),
                                 fs::is_symlink(found) ? ", a symbolic link" : ""));
}

void make_file(const fs::path& path, Existing existing) {
    ::close(open_new(path, existing));
}

OutputFile::OutputFile(std::string path, Existing existing)
    : path_{std::move(path)},
      buffer_{std::make_unique<DescriptorBuffer>(open_new(path_, existing))},
      stream_{buffer_.get()} {
    if (!is_device(path_)) remove_on_signal(path_);
}

OutputFile::~OutputFile() {
    if (whole_) return;
    buffer_->close();
    std::error_code ignored;
    if (!is_device(path_)) fs::remove(path_, ignored);
    keep_on_signal(path_);
}

void OutputFile::close() {
    if (const int error = buffer_->close(); error != 0) cannot_write(path_, error);
    whole_ = true;
    keep_on_signal(path_);
}

}  // namespace dse
