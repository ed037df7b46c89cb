#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dse::trace::chakra {

/// The records of a trace's file one after the other, compressed or not, without a copy of each; of a trace
/// in MLCommons' JSON the same records.
class RecordStream {
  public:
    /// \throws InputError where the file cannot be read
    explicit RecordStream(std::string path);
    ~RecordStream();
    RecordStream(const RecordStream&) = delete;
    RecordStream& operator=(const RecordStream&) = delete;

    /// \param record  becomes the next one; valid until the next call
    /// \return false at the end of the file
    /// \throws InputError naming the record that is cut short, or too long to be one
    bool next(std::span<const std::uint8_t>& record);
    /// Of the record that next() gave last: 1, 2, …
    [[nodiscard]] std::uint64_t number() const { return number_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// \throws InputError that the record that next() gave last, or tries to give, is none
    [[noreturn]] void refuse(std::string_view reason) const;

  private:
    struct File;
    /// Where the file is MLCommons' JSON: its nodes as records.
    void take_json();
    /// Has `bytes` bytes ready behind begin_, piece by piece: a length that lies takes no more memory than
    /// the file has bytes. \return false where the file has no more
    bool fill(std::size_t bytes);
    [[nodiscard]] std::size_t ready() const { return end_ - begin_; }
    /// Of that.
    [[nodiscard]] std::string_view text() const;

    std::string path_;
    std::unique_ptr<File> file_;
    std::vector<std::uint8_t> buffer_;
    std::size_t begin_{0};
    std::size_t end_{0};
    std::uint64_t number_{0};
};

}  // namespace dse::trace::chakra
