#include "dse/config/library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "config/documents.hpp"
#include "dse/base/error.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/file_name.hpp"
#include "dse/config/merge.hpp"

namespace dse::config {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder / "hardware", error) || fs::is_directory(folder / "workloads", error);
}

void add_list(const char* list, std::vector<std::string>& roots) {
    if (list == nullptr) return;
    std::string_view rest{list};
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        if (colon != 0) roots.emplace_back(rest.substr(0, colon));
        rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    }
}

/// The value at a dotted path; nullptr where there is none.
const Node* value_at(const Node& map, std::string_view path) {
    const std::size_t dot = path.find('.');
    const Node* value = map.is_map() ? map.find(path.substr(0, dot)) : nullptr;
    return value == nullptr || dot == std::string_view::npos ? value : value_at(*value, path.substr(dot + 1));
}

/// Keys of a base that its heirs do not have if they state the field at `cause` themselves.
struct Consequence {
    std::string_view folder;
    std::string_view cause;
    std::array<std::string_view, 2> keys;
};

/// Times measured on a device say nothing of another one: whoever states rates of his own has not got the
/// base's. Whoever states the launches of an engine means those of all models, as in a sweep.
constexpr std::array<Consequence, 4> consequences{
    {{"hardware/devices", "peak", {"table", "learned"}},
     {"hardware/devices", "matmul.sustained", {"table", "learned"}},
     {"hardware/devices", "memory.bandwidth", {"table", "learned"}},
     {"workloads/stacks", "launch_factor", {"expert_launch_factor", "latent_launch_factor"}}}};

/// What an heir has of its base, unless it states that itself.
Node inherited(std::string_view folder, const Node& base, const Node& heir) {
    if (!base.is_map()) return base;
    std::vector<Node::Entry> entries = base.entries();
    for (const auto& [of, cause, keys] : consequences) {
        if (of != folder || value_at(heir, cause) == nullptr) continue;
        for (const std::string_view key : keys)
            std::erase_if(entries, [key](const Node::Entry& entry) { return entry.key == key; });
    }
    return Node::map(std::move(entries), base.path(), base.location());
}

std::string bases_of(std::string_view folder) {
    return fmt::format("{}/bases", folder);
}

/// The entry of the library that is closest to a path's last part: to "meta-llama/Llama-3.1-8B", llama3_8b.
/// Only letters and digits count, since everybody separates them in another way.
std::optional<std::string> nearest_spelling(const fs::path& path, const std::vector<std::string>& entries) {
    const auto bare = [](std::string name) {
        std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
        return lower_case(name);
    };
    const bool is_file = path.extension() == ".yaml" || path.extension() == ".yml";
    std::vector<std::string> all;
    all.reserve(entries.size());
    for (const std::string& entry : entries) all.push_back(bare(entry));
    const std::string name = (is_file ? path.stem() : path.filename()).string();
    const auto found = nearest(bare(name), all);
    if (!found) return nearest(name, entries);
    return entries[static_cast<std::size_t>(std::ranges::find(all, *found) - all.begin())];
}

}  // namespace

Library::Library(std::vector<std::string> roots) : documents_{std::make_shared<Documents>()} {
    for (std::string& root : roots) {
        const bool known = std::find(roots_.begin(), roots_.end(), root) != roots_.end();
        if (!known && holds_data(root)) roots_.push_back(std::move(root));
    }
}

Library Library::standard(const std::string& beside) {
    std::vector<std::string> roots;
    std::error_code error;
    add_list(std::getenv("DSE_DATA"), roots);
    roots.push_back(fs::current_path(error).string());
    for (fs::path folder = fs::absolute(beside, error).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
        roots.push_back(folder.string());
        if (folder == folder.root_path()) break;
    }
    // In an installation, wherever it is, bin/dse and share/dse are siblings.
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    roots.push_back((program.parent_path().parent_path() / "share" / "dse").string());
    add_list(DSE_DATA_ROOTS, roots);
    Library library(std::move(roots));
    // Files that are named by path also stand beside the sweep, wherever dse is called.
    if (beside.empty()) return library;
    library.home_ = fs::absolute(beside, error).parent_path().string();
    if (std::ranges::find(library.roots_, library.home_) == library.roots_.end())
        library.roots_.push_back(library.home_);
    return library;
}

std::optional<std::string> Library::find(std::string_view folder, std::string_view name,
                                         const std::string& beside) const {
    if (name.empty()) return std::nullopt;
    std::vector<fs::path> candidates;
    if (is_path(name)) {
        // A place that is no file has no folder (`beside` of "model ./m.yaml"): the sweep's comes first.
        for (const std::string& first : {beside, home_})
            if (!first.empty()) candidates.push_back(fs::path(first) / name);
        candidates.emplace_back(name);
        for (const std::string& root : roots_) candidates.push_back(fs::path(root) / name);
    } else {
        for (const std::string& root : roots_) {
            candidates.push_back(fs::path(root) / folder / fmt::format("{}.yaml", name));
        }
    }
    for (const fs::path& file : candidates) {
        std::error_code error;
        if (fs::is_regular_file(file, error)) return file.string();
    }
    return std::nullopt;
}

std::optional<std::string> Library::find_base(std::string_view folder, std::string_view name,
                                              const std::string& beside) const {
    auto file = find(folder, name, beside);
    return file ? file : find(bases_of(folder), name, beside);
}

std::vector<std::string> Library::names(std::string_view folder) const {
    return documents_->names(folder, roots_);
}

/// The files that one value leads to: the named file, its base, the base of that.
class Library::Chain {
  public:
    Chain(const Library& library, std::string_view folder, Diagnostics& diagnostics)
        : library_{library}, folder_{folder}, diagnostics_{diagnostics} {}

    /// What the file that a value names is to its reader.
    enum class Role { whole, base };

    std::optional<Node> load(const Node& name, Role role) {
        const auto file = find(name, role);
        if (!file || is_circle(*file, name)) return std::nullopt;
        seen_.push_back({*file, std::string{section_of(name)}});
        try {
            const auto node = library_.documents_->load(*file, diagnostics_);
            if (node->unreadable()) return std::nullopt;
            if (node->is_null()) {
                diagnostics_.error(node->location(), "", "is empty");
                return std::nullopt;
            }
            if (section_of(name).empty()) return with_base(*node);
            const Node* section = find_section(*node, name, *file);
            return section != nullptr ? with_base(*section) : std::nullopt;
        } catch (const InputError& error) {
            diagnostics_.error(name.location(), name.path(), error.what());
            return std::nullopt;
        }
    }

    std::optional<Node> with_base(Node node) {
        const Node* name = node.is_map() ? node.find("base") : nullptr;
        if (name == nullptr) return node;
        const auto base = load(*name, Role::base);
        if (!base) return std::nullopt;
        if (!base->is_map()) {
            diagnostics_.error(base->location(), "",
                               fmt::format("expected a map, found {}", base->describe()));
            return std::nullopt;
        }
        refuse_erased(*base, node, diagnostics_);
        return merged(inherited(folder_, *base, node), node);
    }

  private:
    /// A file, or a section of it.
    struct Source {
        std::string file;
        std::string section;
    };

    /// Where a name goes on with a section. Names of files may have the mark themselves: "copy #1.yaml".
    static std::size_t mark_of(const Node& name) {
        return name.text().ends_with(".yaml") ? std::string::npos : name.text().find('#');
    }

    static std::string_view file_of(const Node& name) {
        return std::string_view{name.text()}.substr(0, mark_of(name));
    }

    static std::string_view section_of(const Node& name) {
        const std::string_view text{name.text()};
        const std::size_t mark = mark_of(name);
        return mark == std::string_view::npos ? std::string_view{} : text.substr(mark + 1);
    }

    const Node* find_section(const Node& file, const Node& name, const std::string& path) {
        const Node* section = file.is_map() ? file.find(section_of(name)) : nullptr;
        if (section != nullptr) return section;
        std::vector<std::string> known;
        for (const Node::Entry& entry : file.entries()) known.push_back(entry.key);
        diagnostics_.error(name.location(), name.path(),
                           fmt::format("no section '{}' in {}{}", section_of(name), path,
                                       suggestion(section_of(name), known)));
        return nullptr;
    }

    std::optional<std::string> find(const Node& name, Role role) {
        if (!name.is_scalar()) {
            diagnostics_.error(
                name.location(), name.path(),
                fmt::format("expected the name of a file of {1}, found {0}", name.describe(), folder_));
            return std::nullopt;
        }
        const std::string beside =
            name.location().file ? fs::path(*name.location().file).parent_path().string() : "";
        auto file = role == Role::base ? library_.find_base(folder_, file_of(name), beside)
                                       : library_.find(folder_, file_of(name), beside);
        if (!file) {
            diagnostics_.error(name.location(), name.path(), not_found(name, role, beside));
        }
        return file;
    }

    [[nodiscard]] std::string not_found(const Node& name, Role role, const fs::path& beside) const {
        const std::string wanted{file_of(name)};
        std::error_code error;
        if (is_path(wanted) && (fs::is_directory(beside / wanted, error) || fs::is_directory(wanted, error)))
            return fmt::format("{} is a directory, not a file", name.describe());
        if (is_path(wanted)) {
            // Names of models on Hugging Face look like paths.
            const auto entry = nearest_spelling(fs::path(wanted), library_.names(folder_));
            return fmt::format(
                "there is no file {} (looked for beside the sweep and in the current folder{})",
                name.describe(), entry ? fmt::format("; did you mean '{}'?", *entry) : "");
        }
        for (const std::string& own : {wanted, wanted + ".yaml"}) {
            if (!wanted.empty() &&
                (fs::is_regular_file(beside / own, error) || fs::is_regular_file(own, error)))
                return fmt::format(
                    "no file {} in {} (did you mean './{}'? A file of your own is named by its path)",
                    name.describe(), folder_, own);
        }
        std::vector<std::string> known = library_.names(folder_);
        const std::vector<std::string> bases = library_.names(bases_of(folder_));
        if (role == Role::base) {
            known.insert(known.end(), bases.begin(), bases.end());
        } else if (std::ranges::find(bases, wanted) != bases.end()) {
            return fmt::format(
                "no file {0} in {1} (it is a base: write {{base: {2}, …}} with what each of its heirs "
                "states)",
                name.describe(), folder_, wanted);
        }
        return fmt::format("no file {} in {}{}", name.describe(), folder_, suggestion(wanted, known));
    }

    bool is_circle(const std::string& file, const Node& name) {
        const bool seen = std::any_of(seen_.begin(), seen_.end(), [&](const Source& other) {
            std::error_code error;
            return other.section == section_of(name) && fs::equivalent(file, other.file, error);
        });
        if (seen) diagnostics_.error(name.location(), name.path(), fmt::format("{} is its own base", file));
        return seen;
    }

    const Library& library_;
    std::string_view folder_;
    Diagnostics& diagnostics_;
    std::vector<Source> seen_;
};

std::optional<Node> Library::load(std::string_view folder, const Node& name, Diagnostics& diagnostics) const {
    return Chain(*this, folder, diagnostics).load(name, Chain::Role::whole);
}

std::optional<Node> Library::resolve(std::string_view folder, const Node& value,
                                     Diagnostics& diagnostics) const {
    Chain chain(*this, folder, diagnostics);
    return value.is_map() ? chain.with_base(value) : chain.load(value, Chain::Role::whole);
}

}  // namespace dse::config
