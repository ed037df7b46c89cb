#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dse::trace::chakra {

/// Reads the records of a trace file one at a time without copying them, compressed or not. For a trace in
/// MLCommons' JSON it yields the equivalent records.
class RecordStream {
  public:
    /// \throws InputError if the file cannot be read
    explicit RecordStream(std::string path);
    ~RecordStream();
    RecordStream(const RecordStream&) = delete;
    RecordStream& operator=(const RecordStream&) = delete;

    /// \param record  set to the next record; valid until the next call
    /// \return false at the end of the file
    /// \throws InputError naming a record that is truncated or too long
    bool next(std::span<const std::uint8_t>& record);
    /// Number of the record last read: 1, 2, …
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// \throws InputError about the record that next() returned last or is reading
    [[noreturn]] void refuse(std::string_view reason) const;

  private:
    struct File;
    /// If the file is MLCommons' JSON, replaces the contents by its nodes as records.
    void take_json();
    /// Makes `bytes` bytes available after begin_, reading piece by piece so that a wrong length uses no more
    /// memory than the file has bytes.
    /// \return false if the file has no more
    bool fill(std::size_t bytes);
    [[nodiscard]] std::size_t ready() const { return end_ - begin_; }
    /// The available bytes.
    [[nodiscard]] std::string_view text() const;

    std::string path_;
    std::unique_ptr<File> file_;
    std::vector<std::uint8_t> buffer_;
    std::size_t begin_{0};
    std::size_t end_{0};
    std::uint64_t number_{0};
};

}  // namespace dse::trace::chakra
