#include "serving/line_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <zlib.h>

#include "dse/base/error.hpp"
#include "dse/base/running_digest.hpp"

namespace dse::serving {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20U;
constexpr std::size_t longest_line = std::size_t{16} << 20U;

using File = std::unique_ptr<gzFile_s, int (*)(gzFile)>;

File open_text(const std::string& path) {
    File file{gzopen(path.c_str(), "rb"), gzclose};
    if (!file) throw InputError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    gzbuffer(file.get(), piece);
    return file;
}

/// \returns 0 at the end
std::size_t read_piece(gzFile file, const std::string& path, std::span<char> buffer) {
    const int got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()));
    int status = Z_OK;
    const char* reason = gzerror(file, &status);
    if (got < 0 || (got == 0 && status != Z_OK && status != Z_STREAM_END))
        throw InputError(fmt::format("cannot read {}: {}", path, reason));
    return static_cast<std::size_t>(got);
}

}  // namespace

Digest text_digest(const std::string& path) {
    const File file = open_text(path);
    std::vector<char> buffer(piece);
    RunningDigest digest;
    while (const std::size_t got = read_piece(file.get(), path, buffer))
        digest.add(std::as_bytes(std::span{buffer.data(), got}));
    return digest.value();
}

LineReader::LineReader(const std::string& path) : path_{path}, file_{open_text(path)}, buffer_(piece) {}

bool LineReader::refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) {
        if (buffer_.size() >= longest_line)
            throw InputError(fmt::format("{}:{}: is longer than 16 MiB", path_, number_ + 1));
        buffer_.resize(2 * buffer_.size());
    }
    const std::size_t got = read_piece(file_.get(), path_, std::span{buffer_}.subspan(end_));
    end_ += got;
    return got > 0;
}

bool LineReader::next(std::string_view& line) {
    std::size_t looked = begin_;
    for (;;) {
        const auto first = buffer_.begin() + static_cast<std::ptrdiff_t>(looked);
        const auto last = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
        const auto found = std::find(first, last, '\n');
        if (found != last || at_end_) {
            if (begin_ == end_) return false;
            const auto stop = static_cast<std::size_t>(found - buffer_.begin());
            line = {buffer_.data() + begin_, stop - begin_};
            if (line.ends_with('\r')) line.remove_suffix(1);
            begin_ = std::min(stop + 1, end_);
            ++number_;
            return true;
        }
        looked = end_ - begin_;
        at_end_ = !refill();
    }
}

std::string LineReader::where() const {
    return fmt::format("{}:{}", path_, number_);
}

}  // namespace dse::serving
