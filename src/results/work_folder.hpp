#pragma once

#include <filesystem>

#include "results/owner_file.hpp"

namespace dse::results {

/// The folder beside a results file, `<file>.shards`, owned by the one process that writes the file: created
/// if it does not exist, removed once no other files are left in it, even if the output was rejected.
class WorkFolder {
  public:
    /// \throws InputError if it cannot be made, or a living process owns it
    explicit WorkFolder(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path; }

    /// As OwnerFile::heartbeat().
    void heartbeat() { owner_.heartbeat(); }

  private:
    struct Folder {
        explicit Folder(const std::filesystem::path& name);
        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;
        ~Folder();

        std::filesystem::path path;
    };

    Folder folder_;
    OwnerFile owner_;  // is destroyed before the folder
};

}  // namespace dse::results
