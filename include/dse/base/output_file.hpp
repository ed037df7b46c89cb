#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

namespace dse {

class DescriptorBuffer;

/// What to do with an existing file at the path of an output file.
enum class Existing : std::uint8_t { refuse, replace };

/// Checks that nothing is lost by writing to `path`; devices and pipes always pass.
/// \throws InputError if `path` names a file, or a symbolic link with any target, that must not be replaced
void require_free(const std::filesystem::path& path, Existing existing);

/// Creates an empty file exclusively.
/// \throws InputError like require_free, and if the file cannot be created, with the reason
void make_file(const std::filesystem::path& path, Existing existing);

/// A file that is written sequentially and removed unless it was completed.
class OutputFile {
  public:
    /// \throws InputError like make_file
    OutputFile(std::string path, Existing existing);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() { return stream_; }

    /// To be called once, at the end. \throws InputError with the reason if the data could not be written
    void close();

  private:
    std::string path_;
    std::unique_ptr<DescriptorBuffer> buffer_;
    std::ostream stream_;
    bool whole_{false};
};

}  // namespace dse
