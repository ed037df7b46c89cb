#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace dse {

/// The folder for temporary files: TMPDIR, or the system's. \throws InputError if there is no such folder
std::filesystem::path temporary_folder();

/// A file or folder that is removed, with its contents, when this object is destroyed.
class TemporaryPath {
  public:
    /// \param path  need not exist yet
    explicit TemporaryPath(std::filesystem::path path) : path_{std::move(path)} {}

    /// Creates a new empty file, or folder, in temporary_folder().
    /// \param name  prefix of its name
    /// \throws InputError if it cannot be created
    static TemporaryPath file(std::string_view name);
    static TemporaryPath folder(std::string_view name);

    ~TemporaryPath();
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace dse
