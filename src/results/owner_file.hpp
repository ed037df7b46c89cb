#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace dse::results {

/// A file that names the process working in a folder: of two dse processes with the same output, the second
/// is rejected. After a kill -9, the file of the dead process is recognised and taken over: by its process id
/// on the same machine, by its age on another.
class OwnerFile {
  public:
    /// \param path  in an existing folder
    /// \throws InputError if a living process holds it, naming process and host, or it cannot be written
    explicit OwnerFile(std::filesystem::path path);
    OwnerFile(const OwnerFile&) = delete;
    OwnerFile& operator=(const OwnerFile&) = delete;

    /// Removes the file.
    ~OwnerFile();

    /// Renews the file's time; does nothing if it was renewed less than a few seconds ago.
    void heartbeat();

    /// A holder on another machine is considered dead after this long without a sign of life.
    static constexpr std::chrono::seconds patience{60};

  private:
    std::filesystem::path path_;
    std::string content_;
    std::chrono::steady_clock::time_point last_{std::chrono::steady_clock::now()};
};

}  // namespace dse::results
