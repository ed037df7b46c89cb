#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace dse::results {

/// A new, append-only file.
class AppendFile {
  public:
    /// \throws InputError if the file exists or cannot be created
    explicit AppendFile(std::filesystem::path path);

    /// An anonymous file, which is deleted when it is closed by all; path() refers to it within this process.
    /// \param folder  the file system that it uses
    static AppendFile nameless(const std::filesystem::path& folder);

    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    ~AppendFile();

    /// Passes the bytes to the operating system: all of them or, after an error, none; if there is not enough
    /// space for all, the file is truncated to its previous length.
    /// \throws InputError with the reason
    void append(std::span<const std::byte> bytes);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

  private:
    AppendFile(int descriptor, std::filesystem::path path, std::string shown);

    std::filesystem::path path_;
    std::string shown_;  ///< the name in messages
    int descriptor_;
    std::uint64_t size_{0};
};

}  // namespace dse::results
