#include "trace/chakra/record_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "trace/chakra/json_records.hpp"

namespace dse::trace::chakra {
namespace {

/// Far longer than any record of a trace: longer ones are rejected, so that garbage uses no memory.
constexpr std::uint64_t longest_record = std::uint64_t{1} << 28U;
/// Size of a read: small at first, growing with the size of the file.
constexpr std::size_t smallest_piece = std::size_t{1} << 14U;
constexpr std::size_t largest_piece = std::size_t{1} << 18U;

}  // namespace

struct RecordStream::File {
    gzFile handle{nullptr};
    ~File() {
        if (handle != nullptr) gzclose(handle);
    }
};

RecordStream::RecordStream(std::string path) : path_{std::move(path)}, file_{std::make_unique<File>()} {
    errno = 0;
    file_->handle = gzopen(path_.c_str(), "rb");
    if (file_->handle == nullptr)
        throw InputError(
            fmt::format("cannot read the trace '{}': {}", path_, std::strerror(errno != 0 ? errno : ENOMEM)));
    gzbuffer(file_->handle, static_cast<unsigned>(smallest_piece));
    number_ = 1;  // errors refer to the first record
    fill(smallest_piece);
    number_ = 0;
    if (begins_json(text())) take_json();
}

void RecordStream::take_json() {
    fill(longest_record);
    try {
        buffer_ = records_of_json(text());
    } catch (const InputError& error) {
        throw InputError(fmt::format("'{}' is not a Chakra trace: {}", path_, error.what()));
    }
    begin_ = 0;
    end_ = buffer_.size();
}

std::string_view RecordStream::text() const {
    return {reinterpret_cast<const char*>(buffer_.data()) + begin_, ready()};
}

RecordStream::~RecordStream() = default;

bool RecordStream::fill(std::size_t bytes) {
    while (ready() < bytes) {
        if (begin_ > 0) {
            std::memmove(buffer_.data(), buffer_.data() + begin_, ready());
            end_ -= begin_;
            begin_ = 0;
        }
        const std::size_t piece = std::clamp(buffer_.size(), smallest_piece, largest_piece);
        if (buffer_.size() < end_ + piece) buffer_.resize(end_ + piece);
        const int got = gzread(file_->handle, buffer_.data() + end_, static_cast<unsigned>(piece));
        if (got < 0) {
            int error = Z_OK;
            refuse(gzerror(file_->handle, &error));
        }
        if (got == 0) return false;
        checkpoint(static_cast<std::uint64_t>(got));
        end_ += static_cast<std::size_t>(got);
    }
    return true;
}

bool RecordStream::next(std::span<const std::uint8_t>& record) {
    ++number_;
    if (!fill(1)) {
        int error = Z_OK;
        const char* reason = gzerror(file_->handle, &error);
        if (error != Z_OK && error != Z_STREAM_END) refuse(reason);
        --number_;
        return false;
    }
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
        if (shift >= 64) refuse("its length is not a varint");
        if (!fill(1)) refuse("the file ends inside its length");
        const std::uint8_t byte = buffer_[begin_++];
        length |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0) break;
    }
    // Every node says something. Zeros, as a write that did not end leaves them, would be as many nodes.
    if (length == 0 && number_ > 1) refuse("it is empty, as in a file that was not written to its end");
    if (length > longest_record) refuse(fmt::format("it would be {} bytes long", length));
    if (!fill(length)) refuse("the file ends inside it");
    record = {buffer_.data() + begin_, static_cast<std::size_t>(length)};
    begin_ += length;
    return true;
}

void RecordStream::refuse(std::string_view reason) const {
    // Without its first record, which says what it is, a file is none.
    if (number_ <= 1)
        throw InputError(fmt::format("'{}' is not a Chakra trace: record 1: {}", path_, reason));
    throw InputError(fmt::format("'{}' is damaged: record {}: {} (the {} before it can be read)", path_,
                                 number_, reason, number_ - 1));
}

}  // namespace dse::trace::chakra
