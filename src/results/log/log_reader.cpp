#include "results/log/log_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::results {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw InputError(
        fmt::format("cannot read '{}': {}", path.string(), std::generic_category().message(errno)));
}

class OpenFile {
  public:
    explicit OpenFile(const std::filesystem::path& path)
        : path_{&path}, descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
        if (descriptor_ < 0) fail(path);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() { ::close(descriptor_); }

    /// \return number of bytes read; fewer than requested only at the end of the file
    std::size_t read(std::span<std::byte> to, std::uint64_t offset) {
        std::size_t done = 0;
        while (done < to.size()) {
            const ssize_t count =
                ::pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail(*path_);
            if (count == 0) break;
            done += static_cast<std::size_t>(count);
        }
        return done;
    }

  private:
    const std::filesystem::path* path_;
    int descriptor_;
};

}  // namespace

LogReader::LogReader(std::filesystem::path path, FileRange range, std::uint64_t salt, std::size_t buffer)
    : path_{std::move(path)}, range_{range}, salt_{salt}, read_size_{buffer}, buffer_offset_{range.begin} {}

bool LogReader::have(std::size_t count) {
    if (buffer_.size() - used_ >= count) return true;
    if (position() + count > range_.end) return false;
    refill(count);
    return buffer_.size() - used_ >= count;
}

void LogReader::refill(std::size_t count) {
    buffer_offset_ += used_;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
    const std::size_t kept = buffer_.size();
    const std::uint64_t left = range_.end - buffer_offset_ - kept;
    const std::size_t wanted = std::max(count, read_size_) - kept;
    buffer_.resize(kept + static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left)));
    OpenFile file{path_};
    const std::size_t got = file.read(std::span{buffer_}.subspan(kept), buffer_offset_ + kept);
    buffer_.resize(kept + got);
}

bool LogReader::take(LogRecord& record) {
    if (!have(frame_bytes)) return false;
    const auto payload = announced_payload(ahead());
    if (!payload || !have(frame_bytes + *payload)) return false;
    const auto found = checked_record(ahead().first(frame_bytes + *payload), salt_);
    if (!found) return false;
    record = *found;
    record.offset = position();
    used_ += frame_bytes + *payload;
    return true;
}

/// Skips to the next mark. \return false at the end
bool LogReader::find_mark() {
    strayed_ = true;
    ++used_;
    while (have(sizeof record_mark)) {
        const auto bytes = ahead();
        const void* const found = ::memmem(bytes.data(), bytes.size(), &record_mark, sizeof record_mark);
        if (found != nullptr) {
            used_ += static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
            return true;
        }
        used_ += bytes.size() - (sizeof record_mark - 1);  // a mark may straddle the end of the buffer
    }
    return false;
}

bool LogReader::next(LogRecord& record) {
    while (position() < range_.end) {
        if (!take(record)) {
            if (!have(1) || !find_mark()) break;
            continue;
        }
        strayed_ = false;
        if (record.sequence < expected_) continue;
        lost_ += record.sequence - expected_;
        expected_ = record.sequence + 1;
        return true;
    }
    if (strayed_) ++lost_;
    strayed_ = false;
    used_ = buffer_.size();
    range_.end = position();
    return false;
}

}  // namespace dse::results
