#include "dse/trace/chakra/trace_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "dse/base/error.hpp"
#include "dse/base/unfinished_files.hpp"

namespace dse::trace::chakra {
namespace {

/// Size of zlib's own buffer: few, large writes.
constexpr unsigned gzip_buffer_bytes = 1U << 18U;

[[noreturn]] void refuse(const std::string& path, int error) {
    const char* reason = error == 0 ? "unknown reason" : std::strerror(error);
    throw InputError(fmt::format("cannot write the trace '{}': {}", path, reason));
}

}  // namespace

struct TraceFile::Handle {
    gzFile file{nullptr};
    ~Handle() {
        if (file != nullptr) gzclose(file);
    }
};

TraceFile::TraceFile(std::string path, Compression compression, Existing existing)
    : path_{std::move(path)}, handle_{std::make_unique<Handle>()} {
    if (existing == Existing::refuse) make_file(path_, existing);
    errno = 0;
    // T: no compression. Level 1: traces are so repetitive that higher levels gain little for their time.
    handle_->file = gzopen(path_.c_str(), compression == Compression::gzip ? "wb1" : "wbT");
    if (handle_->file == nullptr) refuse(path_, errno);
    gzbuffer(handle_->file, gzip_buffer_bytes);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path_, ignored)) remove_on_signal(path_);
}

TraceFile::~TraceFile() {
    if (!handle_) return;
    handle_.reset();
    std::error_code ignored;
    // A device given as the file is not removed.
    if (std::filesystem::is_regular_file(path_, ignored)) std::filesystem::remove(path_, ignored);
    keep_on_signal(path_);
}

void TraceFile::write(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return;
    errno = 0;
    const auto wanted = static_cast<unsigned>(bytes.size());
    if (gzwrite(handle_->file, bytes.data(), wanted) != static_cast<int>(wanted)) refuse(path_, errno);
}

std::uint64_t TraceFile::close() {
    errno = 0;
    const int outcome = gzclose(std::exchange(handle_->file, nullptr));
    if (outcome != Z_OK) refuse(path_, errno);
    keep_on_signal(path_);
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_, error);
    handle_.reset();
    return error ? 0 : size;
}

}  // namespace dse::trace::chakra
