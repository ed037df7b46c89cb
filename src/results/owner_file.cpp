#include "results/owner_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "results/process_identity.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds heartbeat_interval{5};

[[noreturn]] void fail(const fs::path& path, int why) {
    throw InputError(
        fmt::format("cannot write '{}': {}", path.string(), std::generic_category().message(why)));
}

fs::path own_name(const fs::path& path) {
    return fmt::format("{}.{}", path.string(), getpid());
}

std::string read(const fs::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const fs::path& path, const std::string& content) {
    std::ofstream file{path, std::ios::trunc};
    file << content << std::flush;
    if (!file) fail(path, errno);
}

/// Gives a file a second name unless that name is taken: the one step that only one of several processes can
/// succeed at. Another owner may have removed the file (see clear_attempts); then it must be written again.
bool claim(const fs::path& from, const fs::path& name) {
    if (::link(from.c_str(), name.c_str()) == 0) return true;
    if (errno != EEXIST && errno != ENOENT) fail(name, errno);
    return false;
}

/// Whether the file has not been renewed for longer than a living owner would ever wait. Both times are the
/// file system's, so clocks of different machines do not matter.
bool abandoned(const fs::path& owner, const fs::path& just_written) {
    std::error_code gone;
    const auto last_sign = fs::last_write_time(owner, gone);
    return gone || fs::last_write_time(just_written) - last_sign > OwnerFile::patience;
}

void require_dead(const fs::path& path, const std::string& owner, const fs::path& just_written) {
    const Liveness state = liveness(owner);
    if (state == Liveness::dead) return;
    if (state == Liveness::on_another_machine && abandoned(path, just_written)) return;
    throw InputError(
        fmt::format("{} is writing to this output (it holds '{}')", describe(owner), path.string()));
}

/// Removes the file of a dead owner, unless another process has just taken it over.
void bury(const fs::path& path, const std::string& dead) {
    const fs::path grave = fmt::format("{}.dead", own_name(path).string());
    if (::rename(path.c_str(), grave.c_str()) != 0) return;
    // If it cannot be restored (a new owner may have removed the renamed file), the next attempt handles it.
    if (read(grave) != dead) static_cast<void>(::link(grave.c_str(), path.c_str()));
    std::error_code gone;
    fs::remove(grave, gone);
}

/// Removes the files of processes that were killed while they tried to become the owner.
void clear_attempts(const fs::path& path) {
    const std::string prefix = path.filename().string() + ".";
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator{path.parent_path(), ignored}) {
        if (!entry.path().filename().string().starts_with(prefix)) continue;
        const Liveness state = liveness(read(entry.path()));
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(entry.path(), ignored);
        const bool forgotten = state == Liveness::on_another_machine && age > OwnerFile::patience;
        if (state == Liveness::dead || forgotten) fs::remove(entry.path(), ignored);
    }
}

}  // namespace

OwnerFile::OwnerFile(fs::path path) : path_{std::move(path)}, content_{this_process()} {
    const fs::path mine = own_name(path_);
    write(mine, content_);
    try {
        while (!claim(mine, path_)) {
            write(mine, content_);
            const std::string owner = read(path_);
            require_dead(path_, owner, mine);
            bury(path_, owner);
        }
    } catch (...) {
        fs::remove(mine);
        throw;
    }
    fs::remove(mine);
    clear_attempts(path_);
}

OwnerFile::~OwnerFile() {
    std::error_code ignored;
    if (read(path_) == content_) fs::remove(path_, ignored);
}

void OwnerFile::heartbeat() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < heartbeat_interval) return;
    last_ = now;
    std::error_code ignored;
    fs::last_write_time(path_, fs::file_time_type::clock::now(), ignored);
}

}  // namespace dse::results
