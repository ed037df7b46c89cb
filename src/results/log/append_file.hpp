#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace dse::results {

/// A new file that only grows.
class AppendFile {
  public:
    /// \throws InputError when there is a file of that name, or none can be made
    explicit AppendFile(std::filesystem::path path);

    /// A file without a name, which is gone when nobody has it open any more; path() leads to it within this
    /// process.
    /// \param folder  where it takes its room
    static AppendFile nameless(const std::filesystem::path& folder);

    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    ~AppendFile();

    /// Hands the bytes to the operating system, all of them or, after an error, none: where there is no room
    /// for all, the file is cut to its length before. \throws InputError with the reason
    void append(std::span<const std::byte> bytes);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

  private:
    AppendFile(int descriptor, std::filesystem::path path, std::string shown);

    std::filesystem::path path_;
    std::string shown_;  ///< what messages name
    int descriptor_;
    std::uint64_t size_{0};
};

}  // namespace dse::results
