#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/hash.hpp"

struct gzFile_s;

namespace dse::serving {

/// Of a text, packed by gzip or not, as it is unpacked. \throws InputError where it cannot be read
Digest text_digest(const std::string& path);

/// The lines of a text, packed by gzip or not, one after another: a file of many requests need not lie in
/// memory.
class LineReader {
  public:
    /// \throws InputError where it cannot be read
    explicit LineReader(const std::string& path);

    /// \returns false at the end. The line has no end mark; it is valid until the next call.
    /// \throws InputError where it cannot be read on, or a line is longer than 16 MiB
    bool next(std::string_view& line);

    /// "trace.csv:12", of the line that was last read.
    [[nodiscard]] std::string where() const;

  private:
    bool refill();

    std::string path_;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> file_;
    std::vector<char> buffer_;
    std::size_t begin_{0};
    std::size_t end_{0};
    std::int64_t number_{0};
    bool at_end_{false};
};

}  // namespace dse::serving
