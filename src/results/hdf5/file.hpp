#pragma once

#include <filesystem>
#include <string>

#include "results/hdf5/handle.hpp"

namespace dse::results::h5 {

/// An open HDF5 file and the path that messages name.
class File {
  public:
    /// A new, empty file; what stood there, a link for one, is gone.
    /// \throws InputError
    static File create(const std::filesystem::path& path);

    /// \throws InputError also for what is no HDF5 file
    static File open(const std::filesystem::path& path);

    /// The same, to add to it. \throws as open()
    static File open_to_write(const std::filesystem::path& path);

    [[nodiscard]] hid_t id() const { return handle_.id(); }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Hands everything to the operating system. HDF5 reports a full disk here once, and success ever after:
    /// a file that failed must not be used again. \throws InputError
    void flush();

    /// \throws InputError when the last bytes cannot be written
    void close();

  private:
    static File open(const std::filesystem::path& path, unsigned flags);
    File(Handle handle, const std::filesystem::path& path)
        : handle_{std::move(handle)}, path_{path.string()} {}

    Handle handle_;
    std::string path_;
};

}  // namespace dse::results::h5
