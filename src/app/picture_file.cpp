#include "app/picture_file.hpp"

#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::app {

void require_folder_of(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
        throw InputError(
            fmt::format("cannot write '{}': there is no folder '{}'", file.string(), folder.string()));
    const std::filesystem::path place = folder.empty() ? std::filesystem::path{"."} : folder;
    if (access(place.c_str(), W_OK) != 0)
        throw InputError(fmt::format("cannot write '{}': the folder '{}' is read-only (choose another)",
                                     file.string(), place.string()));
}

}  // namespace dse::app
