#include "dse/base/temporary_path.hpp"

#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse {
namespace {

/// Template for mkstemp() and mkdtemp().
std::string pattern(std::string_view name) {
    return (temporary_folder() / fmt::format("{}-XXXXXX", name)).string();
}

[[noreturn]] void refuse(const std::string& path) {
    throw InputError(fmt::format("cannot write {} (see TMPDIR)", path));
}

}  // namespace

std::filesystem::path temporary_folder() {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (!error) return folder;
    const char* const chosen = std::getenv("TMPDIR");
    throw InputError(fmt::format("there is no folder for temporary files: {}{}{}",
                                 chosen == nullptr ? "" : "TMPDIR is ", chosen == nullptr ? "" : chosen,
                                 chosen == nullptr ? error.message() : ""));
}

TemporaryPath TemporaryPath::file(std::string_view name) {
    std::string path = pattern(name);
    const int file = mkstemp(path.data());
    if (file < 0) refuse(path);
    close(file);
    return TemporaryPath{path};
}

TemporaryPath TemporaryPath::folder(std::string_view name) {
    std::string path = pattern(name);
    if (mkdtemp(path.data()) == nullptr) refuse(path);
    return TemporaryPath{path};
}

TemporaryPath::~TemporaryPath() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace dse
