#include "space/search_spec_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/file_checksum.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/quantity.hpp"
#include "dse/config/reader.hpp"
#include "dse/space/registry.hpp"
#include "space/node_folder.hpp"

namespace dse::space {
namespace {

using config::Diagnostics;
using config::Node;

/// Whether a method chooses points by the answers to earlier ones.
bool learns(const std::string& method) {
    return std::ranges::find(learning_methods(), method) != learning_methods().end();
}

/// Why a method has no budget of time or no older files; empty if it has them.
std::string why_without(const std::string& method, std::string_view key) {
    if (method == "screen" && key == "from")
        return "'screen' evaluates every point of its grid, whatever 'from' knows of it";
    if (learns(method)) return "";
    return fmt::format(
        "'{}' does not choose points by the answers to earlier ones, as a search must that "
        "has '{}' (nsga2 does)",
        method, key);
}

/// Why no method has this name; empty if one has.
std::string why_unknown(const std::string& method) {
    std::vector<std::string> known = samplers().names();
    known.insert(known.end(), learning_methods().begin(), learning_methods().end());
    if (std::ranges::find(known, method) != known.end()) return "";
    return fmt::format("unknown search method '{}'{}", method, suggestion(method, known));
}

/// Why a method cannot run before or after others; empty if it can.
std::string why_alone(const std::string& method) {
    if (method == "proven") return "'proven' begins with nothing and ends with everything: name it alone";
    if (method == "screen") return "'screen' evaluates every point: name it alone";
    return learns(method) ? "" : fmt::format("'{}' draws its points beforehand: name it alone", method);
}

/// Ranges without steps are for samplers that draw.
void reject_continuous_axes(const std::vector<Axis>& axes, Diagnostics& diagnostics) {
    std::vector<std::string> drawing;
    for (const auto& row : samplers().rows())
        if (row.make.coverage != Coverage::grid) drawing.push_back(row.name);
    for (const Axis& axis : axes) {
        if (!axis.continuum) continue;
        diagnostics.error(axis.where, "axes." + axis.name,
                          fmt::format("a range without steps cannot be a grid (give 'step' or 'count', or "
                                      "search with one of {})",
                                      fmt::join(drawing, ", ")));
    }
}

class SearchReader {
  public:
    SearchReader(const Node& search, const std::vector<Axis>& axes, Diagnostics& diagnostics)
        : search_{search}, axes_{axes}, diagnostics_{diagnostics} {}

    SearchSpec run() {
        config::Reader reader(search_, nullptr, diagnostics_);
        read_methods(reader.take("method"));
        read_tolerance(reader.take("tolerance"));
        read_older_files(reader.take("from"));
        describe(reader, spec_);
        reader.finish();
        if (knows_methods()) check_values();
        return std::move(spec_);
    }

  private:
    [[nodiscard]] const config::Location& where(const char* key) const {
        const Node* node = search_.find(key);
        return node == nullptr ? search_.location() : node->location();
    }

    void error_at(const char* key, const std::string& reason) {
        diagnostics_.error(where(key), fmt::format("search.{}", key), reason);
    }

    bool knows_methods() {
        std::vector<std::string> methods{spec_.method};
        methods.insert(methods.end(), spec_.then.begin(), spec_.then.end());
        for (const std::string& method : methods) {
            std::string reason = why_unknown(method);
            if (reason.empty() && methods.size() > 1) reason = why_alone(method);
            if (reason.empty()) continue;
            error_at("method", reason);
            return false;
        }
        return true;
    }

    void check_values() {
        if (spec_.seed < 0) error_at("seed", "a seed is not negative");
        if (walks_grid(spec_.method)) {
            if (spec_.budget != 0)
                error_at("budget",
                         "a grid takes all points, it has no budget (a search has one, as in "
                         "{method: nsga2, budget: 1000}: dse list searches)");
            reject_continuous_axes(axes_, diagnostics_);
        } else if (spec_.budget <= 0 && !has_error_at(where("budget")) && spec_.method != "proven" &&
                   !has_time()) {
            error_at("budget", fmt::format("'{}' needs a budget: how many points to draw", spec_.method));
        }
        for (const char* key : {"time_budget", "cpu_budget", "from"}) {
            const std::string reason = why_without(spec_.method, key);
            if (search_.find(key) != nullptr && !reason.empty()) error_at(key, reason);
        }
    }

    /// Whether an error was reported there already.
    [[nodiscard]] bool has_error_at(const config::Location& where) const {
        const auto& all = diagnostics_.all();
        return std::ranges::any_of(all, [&](const config::Diagnostic& each) {
            return each.where.line == where.line && each.where.column == where.column;
        });
    }

    [[nodiscard]] bool has_time() const {
        return spec_.time_budget.value() > 0.0 || spec_.cpu_budget.value() > 0.0;
    }

    /// File names are relative to the sweep's folder, like those of programs.
    void read_older_files(const Node* from) {
        if (from == nullptr) return;
        if (!from->is_sequence())
            return diagnostics_.error(from->location(), from->path(), "'from' is a list of results files");
        for (const Node& item : from->items()) {
            const std::filesystem::path path = std::filesystem::path{folder_of(*from)} / item.text();
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(path, ignored)) {
                diagnostics_.error(item.location(), item.path(),
                                   fmt::format("there is no results file '{}'", path.string()));
                continue;
            }
            spec_.from.push_back(path.string());
            spec_.from_digests.push_back(checksum_of_file(path));
        }
    }

    /// One name, or a list of methods that run one after the other.
    void read_methods(const Node* method) {
        if (method == nullptr) return;
        spec_.where = method->location();
        std::vector<const Node*> names{method};
        if (method->is_sequence()) {
            names.clear();
            for (const Node& item : method->items()) names.push_back(&item);
        }
        for (const Node* name : names) {
            if (!name->is_scalar() || name->text().empty())
                return diagnostics_.error(name->location(), name->path(),
                                          fmt::format("expected a method, found {}", name->describe()));
            if (name == names.front()) {
                spec_.method = name->text();
            } else {
                spec_.then.push_back(name->text());
            }
        }
    }

    /// "1 %", or a fraction.
    void read_tolerance(const Node* tolerance) {
        if (tolerance == nullptr) return;
        std::string error;
        std::string_view rest;
        const std::string text = tolerance->is_scalar() ? tolerance->text() : "";
        const auto number = config::parse_number(text, rest, error);
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        const double share = number.value_or(-1.0) / (rest == "%" ? 100.0 : 1.0);
        if (!number || !(rest.empty() || rest == "%") || !(share >= 0.0 && share < 1.0)) {
            diagnostics_.error(tolerance->location(), tolerance->path(),
                               "a tolerance is a share from 0 to 1, such as 1 % or 0.01");
        } else if (spec_.method != "proven") {
            diagnostics_.error(
                tolerance->location(), tolerance->path(),
                fmt::format("'{}' proves nothing that a tolerance could be of (method: proven does)",
                            spec_.method));
        } else {
            spec_.tolerance = share;
        }
    }

    const Node& search_;
    const std::vector<Axis>& axes_;
    Diagnostics& diagnostics_;
    SearchSpec spec_;
};

}  // namespace

SearchSpec read_search(const Node* search, const std::vector<Axis>& axes, Diagnostics& diagnostics) {
    if (search == nullptr) {
        reject_continuous_axes(axes, diagnostics);
        return {};
    }
    if (search->is_scalar()) {
        diagnostics.error(search->location(), search->path(),
                          fmt::format("expected a map, found {0} (write search: {{method: {1}}}, with "
                                      "a budget unless it is grid)",
                                      search->describe(), search->text()));
        return {};
    }
    return SearchReader(*search, axes, diagnostics).run();
}

}  // namespace dse::space
