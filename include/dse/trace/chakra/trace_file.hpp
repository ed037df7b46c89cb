#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dse/base/output_file.hpp"

namespace dse::trace::chakra {

enum class Compression : std::uint8_t { none, gzip };

/// A file that is written sequentially, compressed or not. It is deleted unless close() succeeds, since a
/// truncated trace could be mistaken for a complete one.
class TraceFile {
  public:
    /// \throws InputError with the reason if the file cannot be created
    TraceFile(std::string path, Compression compression, Existing existing = Existing::replace);
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /// \throws InputError with the reason if writing fails
    void write(std::span<const std::uint8_t> bytes);
    /// Must be called once, at the end. \return bytes on disk \throws InputError as write() does
    std::uint64_t close();

  private:
    struct Handle;
    std::string path_;
    std::unique_ptr<Handle> handle_;
};

}  // namespace dse::trace::chakra
