#include "app/file_kind.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/nearest.hpp"
#include "dse/config/file_name.hpp"
#include "dse/config/library.hpp"
#include "dse/config/outline.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::app {
namespace {

using config::Node;
namespace fs = std::filesystem;

struct KindRow {
    FileKind kind{};
    std::string_view name{};    ///< in output
    std::string_view folder{};  ///< of the library; empty: none of its own
    bool has_heirs{false};      ///< whether such files may be named by `base`
    /// A file with one of these keys is of this kind, unless it also has a key of a kind above.
    std::array<std::string_view, 3> keys{};
    /// Likewise, where one of its values is a map with such a key.
    std::array<std::string_view, 4> inner_keys{};
    std::string_view known_by{};  ///< keys of a kind that only its folder or its base tells
};

constexpr std::array<KindRow, 25> kinds{{
    {.kind = FileKind::sweep, .name = "sweep", .folder = "sweeps", .keys = {"axes", "workload"}},
    {.kind = FileKind::model,
     .name = "model",
     .folder = "workloads/models",
     .has_heirs = true,
     .keys = {"template"}},
    {.kind = FileKind::template_file,
     .name = "template",
     .folder = "workloads/templates",
     .keys = {"boundary"}},
    {.kind = FileKind::cluster,
     .name = "cluster",
     .folder = "hardware/clusters",
     .has_heirs = true,
     .keys = {"network", "devices_per_node", "device"}},
    {.kind = FileKind::error_bars, .name = "error bars", .keys = {"generations", "first_token"}},
    {.kind = FileKind::sources, .name = "sources", .keys = {"sources"}},
    {.kind = FileKind::serving_facts, .name = "serving facts", .keys = {"engines"}},
    {.kind = FileKind::energy_facts, .name = "energy facts", .keys = {"tasks"}},
    {.kind = FileKind::device,
     .name = "device",
     .folder = "hardware/devices",
     .has_heirs = true,
     .keys = {"peak", "memory"}},
    {.kind = FileKind::table, .name = "table", .folder = "hardware/tables", .keys = {"rows"}},
    {.kind = FileKind::learned, .name = "learned", .folder = "hardware/learned", .keys = {"trees", "vector"}},
    {.kind = FileKind::foreign_costs, .name = "foreign costs", .inner_keys = {"flops"}},
    {.kind = FileKind::components,
     .name = "components",
     .folder = "hardware/energy",
     .inner_keys = {"per_flop", "per_memory_byte", "launch_time", "pue"}},
    {.kind = FileKind::stack,
     .name = "stack",
     .folder = "workloads/stacks",
     .has_heirs = true,
     .known_by = "precision, serving, …"},
    {.kind = FileKind::measurements, .name = "measurements"},
    {.kind = FileKind::left_out, .name = "left-out errors"},
    {.kind = FileKind::throughputs, .name = "throughputs"},
    {.kind = FileKind::row_errors, .name = "errors of rows"},
    {.kind = FileKind::unknown_errors, .name = "errors of the unknown"},
    {.kind = FileKind::kernels, .name = "kernels"},
    {.kind = FileKind::requests, .name = "requests"},
    {.kind = FileKind::family, .name = "family"},
    {.kind = FileKind::trace, .name = "trace"},
    {.kind = FileKind::program, .name = "program"},
    {.kind = FileKind::unknown, .name = "unknown"},
}};

/// Whether a map has this key.
bool has(const Node& root, std::string_view key) {
    return !key.empty() && root.find(key) != nullptr;
}

/// Whether some value of a map is a map with this key.
bool some_value_has(const Node& root, std::string_view key) {
    return root.is_map() && std::ranges::any_of(root.entries(), [&](const Node::Entry& entry) {
               return has(entry.value, key);
           });
}

fs::path folder_of(const std::string& file) {
    return fs::absolute(file).parent_path();
}

/// The kind that keys and folder of a file say.
FileKind own_kind(const Node& root, const std::string& file) {
    if (root.find("$schema") != nullptr) return FileKind::unknown;  // its members are named like keys
    for (const KindRow& row : kinds) {
        const auto states = [&](std::string_view key) { return has(root, key); };
        if (std::ranges::any_of(row.keys, states)) return row.kind;
    }
    for (const KindRow& row : kinds) {
        const auto states = [&](std::string_view key) { return some_value_has(root, key); };
        if (std::ranges::any_of(row.inner_keys, states)) return row.kind;
    }
    const fs::path folder = is_base(file) ? folder_of(file).parent_path() : folder_of(file);
    for (const KindRow& row : kinds) {
        if (!row.folder.empty() && folder.filename() == fs::path(row.folder).filename()) return row.kind;
    }
    return FileKind::unknown;
}

template <class Struct>
bool has_key_of(const Node& root) {
    const std::vector<config::Outline> members = config::outline_of<Struct>();
    return std::ranges::any_of(members, [&](const config::Outline& member) {
        return member.name != "name" && member.name != "source" && root.find(member.name) != nullptr;
    });
}

/// A file that is the base of another one.
struct Base {
    std::string file;
    FileKind kind{FileKind::unknown};  ///< as its place in the library says
};

/// The base of a file; nothing if it has none, or one whose name several kinds of files have.
std::optional<Base> base_of(const Node& root, const std::string& file) {
    const Node* const name = root.find("base");
    if (name == nullptr || !name->is_scalar()) return std::nullopt;
    const config::Library library = config::Library::standard(file);
    std::optional<Base> found;
    for (const KindRow& row : kinds) {
        if (!row.has_heirs) continue;
        const auto path = library.find_base(row.folder, name->text(), folder_of(file).string());
        if (!path) continue;
        if (config::is_path(name->text())) return Base{*path};
        if (found) return std::nullopt;
        found = Base{*path, row.kind};
    }
    return found;
}

}  // namespace

std::string_view name(FileKind kind) {
    return std::ranges::find(kinds, kind, &KindRow::kind)->name;
}

FileKind kind_of(const Node& root, const std::string& file) {
    FileKind kind = own_kind(root, file);
    Node node = root;
    std::string at = file;
    constexpr int most_bases = 16;  // they may be a circle, which is found where they are read
    for (int i = 0; i < most_bases && kind == FileKind::unknown; ++i) {
        const std::optional<Base> base = base_of(node, at);
        if (!base) break;
        config::Diagnostics ignored;
        at = base->file;
        node = config::load_yaml(at, ignored);
        kind = base->kind != FileKind::unknown ? base->kind : own_kind(node, at);
    }
    // Devices and operations have names in common with fields of stacks ("attention").
    if (kind == FileKind::unknown && has_key_of<graph::NamedStack>(node)) return FileKind::stack;
    return kind;
}

std::string missing_base(const Node& root, const std::string& file) {
    const Node* const name = root.find("base");
    if (name == nullptr || !name->is_scalar() || base_of(root, file)) return {};
    const config::Library library = config::Library::standard(file);
    std::vector<std::string> known;
    int folders = 0;
    for (const KindRow& row : kinds) {
        if (!row.has_heirs) continue;
        if (library.find_base(row.folder, name->text(), folder_of(file).string())) ++folders;
        const std::vector<std::string> names = library.names(row.folder);
        known.insert(known.end(), names.begin(), names.end());
    }
    // A device and a cluster may have the same name.
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    if (folders > 1)
        return fmt::format(
            "names the base '{}', which several kinds of files have (state a field of its own)",
            name->text());
    return fmt::format("names the base '{}', which is no file{}", name->text(),
                       config::is_path(name->text()) ? " here" : suggestion(name->text(), known));
}

std::string kinds_and_keys() {
    std::vector<std::string> described;
    for (const KindRow& row : kinds) {
        const std::string_view keys = !row.keys[0].empty()         ? row.keys[0]
                                      : !row.inner_keys[0].empty() ? row.inner_keys[0]
                                                                   : row.known_by;
        if (!keys.empty()) described.push_back(fmt::format("{} ({})", row.name, keys));
    }
    return fmt::format("{}", fmt::join(described, ", "));
}

bool is_base(const std::string& file) {
    return folder_of(file).filename() == "bases";
}

}  // namespace dse::app
