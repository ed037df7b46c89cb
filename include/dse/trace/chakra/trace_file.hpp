#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "dse/base/output_file.hpp"

namespace dse::trace::chakra {

enum class Compression : std::uint8_t { none, gzip };

/// A file that is written from front to back, compressed or not. It is removed again unless close() succeeds:
/// a trace that ends early would be read as a whole one.
class TraceFile {
  public:
    /// \throws InputError where the file cannot be made, saying why
    TraceFile(std::string path, Compression compression, Existing existing = Existing::replace);
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    /// \throws InputError where the disk does not take it, saying why
    void write(std::span<const std::uint8_t> bytes);
    /// To be called once, last. \return bytes on disk \throws InputError likewise
    std::uint64_t close();

  private:
    struct Handle;
    std::string path_;
    std::unique_ptr<Handle> handle_;
};

}  // namespace dse::trace::chakra
