#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace dse {

/// What becomes of a file that stands where another one is to be written.
enum class Existing : std::uint8_t { refuse, replace };

/// Devices and pipes are free: nothing is lost there.
/// \throws InputError where `path` names a file, or a symbolic link wherever it leads, that nobody said to
/// replace
void require_free(const std::filesystem::path& path, Existing existing);

/// Makes an empty file, so that nobody else has it.
/// \throws InputError as require_free, and where it cannot be made, saying why
void make_file(const std::filesystem::path& path, Existing existing);

/// A file that is written from front to back, and removed again unless it became whole.
class OutputFile {
  public:
    /// \throws InputError as make_file
    OutputFile(std::string path, Existing existing);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() { return stream_; }

    /// To be called once, last. \throws InputError where the disk did not take it
    void close();

  private:
    std::string path_;
    std::ofstream stream_;
    bool whole_{false};
};

}  // namespace dse
