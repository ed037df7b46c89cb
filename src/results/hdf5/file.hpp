#pragma once

#include <filesystem>
#include <string>

#include "results/hdf5/handle.hpp"

namespace dse::results::h5 {

/// An open HDF5 file, and the path that messages use.
class File {
  public:
    /// Creates an empty file; an existing file or link of that name is removed.
    /// \throws InputError
    static File create(const std::filesystem::path& path);

    /// \throws InputError also if it is not an HDF5 file
    static File open(const std::filesystem::path& path);

    /// The same, for appending. \throws as open()
    static File open_to_write(const std::filesystem::path& path);

    [[nodiscard]] hid_t id() const { return handle_.id(); }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Passes everything to the operating system. HDF5 reports a full disk here once, and success ever after:
    /// after a failure, the file must not be used again.
    /// \throws InputError
    void flush();

    /// \throws InputError if the last bytes cannot be written
    void close();

  private:
    static File open(const std::filesystem::path& path, unsigned flags);
    File(Handle handle, const std::filesystem::path& path)
        : handle_{std::move(handle)}, path_{path.string()} {}

    Handle handle_;
    std::string path_;
};

}  // namespace dse::results::h5
