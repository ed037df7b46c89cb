#include "dse/frontend/program_files.hpp"

#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::frontend {
namespace {

namespace fs = std::filesystem;

/// A folder below the library's roots with files that workloads can name.
struct Shelf {
    const char* folder;
    const char* list;  ///< argument of `dse list`
    bool (*has)(const fs::path& file);
};
constexpr Shelf captures{"workloads/captures", "programs",
                         [](const fs::path& file) { return file.extension() != ".json"; }};
constexpr Shelf families{"workloads/families", "families",
                         [](const fs::path& file) { return file.extension() == ".model"; }};

std::string file_name(const std::string& path) {
    return fs::path{path}.filename().string();
}

// Finds the name that was probably meant: without its extension, in another folder, or with a similar
// spelling.
std::optional<std::string> meant(const std::string& name, const std::vector<std::string>& known) {
    for (const std::string& other : known)
        if (other.starts_with(name + ".")) return other;
    std::vector<std::string> last_parts;
    last_parts.reserve(known.size());
    for (const std::string& other : known) last_parts.push_back(file_name(other));
    const std::optional<std::string> near = nearest(file_name(name), last_parts);
    for (std::size_t i = 0; i < known.size(); ++i)
        if (near == last_parts[i]) return known[i];
    return std::nullopt;
}

std::vector<std::string> names_on(const Shelf& shelf, const config::Library& library) {
    std::set<std::string> names;
    for (const std::string& root : library.roots()) {
        const fs::path folder = fs::path{root} / shelf.folder;
        std::error_code error;
        const fs::recursive_directory_iterator files{folder, fs::directory_options::skip_permission_denied,
                                                     error};
        for (const fs::directory_entry& entry : files) {
            if (entry.is_regular_file(error) && shelf.has(entry.path()))
                names.insert(entry.path().lexically_relative(folder).string());
        }
    }
    return {names.begin(), names.end()};
}

/// What lies where a file was looked for, named as it would have to be.
void add_neighbours(const Shelf& shelf, const fs::path& name, const std::string& beside,
                    std::vector<std::string>& known) {
    for (const fs::path& start : {fs::path{beside}, fs::path{"."}}) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator{start / name.parent_path(), error}) {
            if (entry.is_regular_file(error) && shelf.has(entry.path()))
                known.push_back((name.parent_path() / entry.path().filename()).string());
        }
    }
}

std::string find_on(const Shelf& shelf, const config::Library& library, const std::string& name,
                    const std::string& beside) {
    std::error_code ignored;
    const fs::path own = fs::path{beside} / name;
    if (!beside.empty() && fs::is_regular_file(own, ignored)) return own.string();
    if (fs::is_regular_file(name, ignored)) return name;
    for (const std::string& root : library.roots()) {
        for (const char* folder : {"", shelf.folder}) {
            const fs::path path = fs::path{root} / folder / name;
            if (fs::is_regular_file(path, ignored)) return path.string();
        }
    }
    std::vector<std::string> known = names_on(shelf, library);
    add_neighbours(shelf, name, beside, known);
    const std::optional<std::string> near = meant(name, known);
    throw InputError(
        fmt::format("there is no file '{}' (looked for {}from here, in the data folders and their {}){}",
                    name, beside.empty() ? "" : "beside the sweep, ", shelf.folder,
                    near ? fmt::format("; did you mean '{}'?", *near)
                         : fmt::format("; `dse list {}` has those", shelf.list)));
}

}  // namespace

std::vector<std::string> program_names(const config::Library& library) {
    return names_on(captures, library);
}

std::string program_file(const config::Library& library, const std::string& name, const std::string& beside) {
    return find_on(captures, library, name, beside);
}

std::vector<std::string> family_names(const config::Library& library) {
    return names_on(families, library);
}

std::string family_file(const config::Library& library, const std::string& name, const std::string& beside) {
    return find_on(families, library, name, beside);
}

}  // namespace dse::frontend
