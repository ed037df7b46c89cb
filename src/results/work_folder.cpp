#include "results/work_folder.hpp"

#include <system_error>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::results {

namespace fs = std::filesystem;

WorkFolder::Folder::Folder(const fs::path& name) : path{name} {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", path.string(), error.message()));
}

WorkFolder::Folder::~Folder() {
    std::error_code not_empty;
    fs::remove(path, not_empty);
}

WorkFolder::WorkFolder(const fs::path& folder) : folder_{folder}, owner_{folder_.path / "owner"} {}

}  // namespace dse::results
