#include "dse/ir/readers/source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "dse/base/check.hpp"
#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "dse/base/text_encoding.hpp"
#include "dse/config/source_text.hpp"

namespace dse::ir {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20U;
// Maximum size of a decompressed text: longer ones would not fit into memory together with their program.
constexpr std::size_t most_inflated = std::size_t{4} << 30U;

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

[[noreturn]] void cannot_read(const std::string& path, const std::string& reason) {
    throw InputError(fmt::format("cannot read {}: {}", path, reason));
}

std::string inflated(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file{gzopen(path.c_str(), "rb"), gzclose};
    if (!file) cannot_read(path, std::strerror(errno));
    gzbuffer(file.get(), piece);
    std::string text;
    std::vector<char> buffer(piece);
    for (;;) {
        const int got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        int status = Z_OK;
        const char* reason = gzerror(file.get(), &status);
        if (got < 0 || (got == 0 && status != Z_OK && status != Z_STREAM_END)) cannot_read(path, reason);
        if (got == 0) return text;
        checkpoint(static_cast<std::uint64_t>(got));
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (text.size() > most_inflated) cannot_read(path, "it is larger than 4 GiB");
    }
}

bool is_gzip(int descriptor) {
    unsigned char magic[2]{};
    return ::pread(descriptor, magic, 2, 0) == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
}

}  // namespace

Source Source::file(const std::string& path) {
    const Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (descriptor.number < 0) cannot_read(path, std::strerror(errno));
    struct stat facts {};
    if (::fstat(descriptor.number, &facts) != 0) cannot_read(path, std::strerror(errno));
    if (S_ISDIR(facts.st_mode)) cannot_read(path, "it is a directory, not a file");
    Source result;
    result.name_ = path;
    // Pipes etc. have no size to map; zlib passes uncompressed data through.
    if (!S_ISREG(facts.st_mode) || is_gzip(descriptor.number)) {
        result.owned_ = inflated(path);
        return result;
    }
    if (facts.st_size == 0) return result;
    result.mapped_size_ = static_cast<std::size_t>(facts.st_size);
    void* mapped = ::mmap(nullptr, result.mapped_size_, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
    if (mapped == MAP_FAILED) cannot_read(path, std::strerror(errno));
    result.mapped_ = mapped;
    if (is_utf16(result.text())) cannot_read(path, "UTF-16 text: save the file as UTF-8");
    return result;
}

Source Source::text(std::string text, std::string name) {
    Source result;
    result.name_ = std::move(name);
    result.owned_ = std::move(text);
    return result;
}

Source::Source(Source&& other) noexcept
    : name_{std::move(other.name_)},
      owned_{std::move(other.owned_)},
      mapped_{std::exchange(other.mapped_, nullptr)},
      mapped_size_{std::exchange(other.mapped_size_, 0)} {}

Source& Source::operator=(Source&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(owned_, other.owned_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_size_, other.mapped_size_);
    return *this;
}

Source::~Source() {
    if (mapped_ != nullptr) ::munmap(mapped_, mapped_size_);
}

std::string_view Source::text() const {
    if (mapped_ == nullptr) return without_byte_order_mark(owned_);
    return without_byte_order_mark({static_cast<const char*>(mapped_), mapped_size_});
}

Source::Place Source::place(std::size_t offset) const {
    DSE_EXPECT(offset <= text().size());
    const std::string_view before = text().substr(0, offset);
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t last = before.rfind('\n');
    return {lines + 1, offset - (last == std::string_view::npos ? 0 : last + 1) + 1};
}

void Source::refuse(std::size_t offset, std::string_view reason) const {
    const Place where = place(std::min(offset, text().size()));
    throw InputError(fmt::format("{}:{}:{}: {}", name_, where.line, where.column, config::printable(reason)));
}

void Source::release(std::size_t begin, std::size_t end) const {
    if (mapped_ == nullptr || end <= begin) return;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t first = (begin + page - 1) / page * page;
    const std::size_t last = end / page * page;
    if (last > first) ::madvise(static_cast<char*>(mapped_) + first, last - first, MADV_DONTNEED);
}

}  // namespace dse::ir
