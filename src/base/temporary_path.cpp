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
    return (std::filesystem::temp_directory_path() / fmt::format("{}-XXXXXX", name)).string();
}

[[noreturn]] void refuse(const std::string& path) {
    throw InputError(fmt::format("cannot write {} (see TMPDIR)", path));
}

}  // namespace

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
