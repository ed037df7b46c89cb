#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace dse::results {

/// A file that says which process works in a folder: of two dse on one output, the second is refused. After a
/// kill -9, the file of the dead is recognised and taken over: by its process id on the same machine, by its
/// age on another.
class OwnerFile {
  public:
    /// \param path  in a folder that exists
    /// \throws InputError when a living process holds it, naming process and host, or it cannot be written
    explicit OwnerFile(std::filesystem::path path);
    OwnerFile(const OwnerFile&) = delete;
    OwnerFile& operator=(const OwnerFile&) = delete;

    /// Removes the file.
    ~OwnerFile();

    /// Renews the file's time; does nothing if it was renewed less than a few seconds ago.
    void heartbeat();

    /// A holder on another machine counts as dead when it gave no sign of life for this long.
    static constexpr std::chrono::seconds patience{60};

  private:
    std::filesystem::path path_;
    std::string content_;
    std::chrono::steady_clock::time_point last_{std::chrono::steady_clock::now()};
};

}  // namespace dse::results
