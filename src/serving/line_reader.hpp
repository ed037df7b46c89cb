#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/hash.hpp"

struct gzFile_s;

namespace dse::serving {

/// Digest of a text, gzip-compressed or not, after decompression. \throws InputError if it cannot be read
Digest text_digest(const std::string& path);

/// Reads a text, gzip-compressed or not, line by line, so that a file of many requests need not be in memory.
class LineReader {
  public:
    /// \throws InputError if the file cannot be opened
    explicit LineReader(const std::string& path);

    /// \returns false at the end. The line comes without its line break and is valid until the next call.
    /// \throws InputError on a read error or if a line is longer than 16 MiB
    bool next(std::string_view& line);

    /// Position of the line last read, such as "trace.csv:12".
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
