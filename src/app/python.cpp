#include "app/python.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include "dse/config/library.hpp"

extern char** environ;

namespace dse::app {
namespace {

namespace fs = std::filesystem;

enum class Output { shown, dropped };

/// Exit status of a program; nothing if it could not be started or was killed.
std::optional<int> run(const std::string& program, const std::vector<std::string>& arguments, Output output) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output == Output::dropped) {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    }
    pid_t process = 0;
    const int failure = posix_spawnp(&process, program.c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) return std::nullopt;
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return std::nullopt;
    }
    return WIFEXITED(status) ? std::optional{WEXITSTATUS(status)} : std::nullopt;
}

/// The folder with the package dse_analysis: installed with the other data, or in the source tree.
fs::path package_folder(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) {
        const fs::path folder = fs::path{root} / "analysis";
        if (fs::exists(folder / "dse_analysis" / "__init__.py")) return fs::absolute(folder);
    }
    throw InputError(
        fmt::format("the Python package dse_analysis was not found in: {}", fmt::join(roots, ", ")));
}

std::vector<std::string> interpreters(const std::vector<std::string>& roots) {
    std::vector<std::string> found;
    if (const char* chosen = std::getenv("DSE_PYTHON")) return {chosen};
    for (const std::string& root : roots) {
        const fs::path own = fs::path{root} / ".venv" / "bin" / "python";
        if (fs::exists(own)) found.push_back(own.string());
    }
    found.insert(found.end(), {"python3", "/usr/bin/python3"});
    return found;
}

void extend_python_path(const fs::path& folder) {
    const char* old = std::getenv("PYTHONPATH");
    const std::string path = old == nullptr ? folder.string() : fmt::format("{}:{}", folder.string(), old);
    setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

ExitCode run_python(const std::vector<std::string>& packages, const std::vector<std::string>& arguments) {
    const std::vector<std::string> roots = config::Library::standard("").roots();
    extend_python_path(package_folder(roots));
    const std::vector<std::string> tried = interpreters(roots);
    const std::string imports = fmt::format("import {}", fmt::join(packages, ", "));
    for (const std::string& python : tried) {
        if (run(python, {"-c", imports}, Output::dropped) != 0) continue;
        const std::optional<int> status = run(python, arguments, Output::shown);
        return status == 0 ? ExitCode::ok : ExitCode::bad_input;
    }
    throw InputError(fmt::format(
        "no Python interpreter has {} (tried {}): install them, set DSE_PYTHON to another interpreter, or "
        "run './dev setup', which creates an environment with the packages of analysis/requirements.txt",
        fmt::join(packages, ", "), fmt::join(tried, ", ")));
}

}  // namespace dse::app
