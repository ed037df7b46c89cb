#include "app/force.hpp"

#include <cerrno>
#include <cstring>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"

namespace dse::app {

void add_force(CLI::App& app, Existing& existing) {
    app.add_flag_callback(
        "--force", [&existing] { existing = Existing::replace; },
        "overwrite existing files, and follow symbolic links");
}

void require_writable(const std::filesystem::path& path, Existing existing) {
    namespace fs = std::filesystem;
    require_free(path, existing);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) {
        make_file(path, existing);
        fs::remove(path, ignored);
    } else if (fs::is_regular_file(path, ignored)) {  // opening a pipe would wait for its reader
        const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0)
            throw InputError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
        ::close(file);
    }
}

void require_another(const std::filesystem::path& output, const std::filesystem::path& input) {
    std::error_code ignored;
    if (std::filesystem::equivalent(output, input, ignored))
        throw InputError(
            fmt::format("cannot write '{}': this command reads it (choose another name)", output.string()));
}

}  // namespace dse::app
