#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace dse {

/// A file or folder that goes, with all that is in it, when this does.
class TemporaryPath {
  public:
    /// \param path  where nothing has to be yet
    explicit TemporaryPath(std::filesystem::path path) : path_{std::move(path)} {}

    /// An empty file, or folder, that nobody else has, in the folder for temporary files (TMPDIR).
    /// \param name  its name begins so
    /// \throws InputError where it cannot be made
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
