#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/reader.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/sweep_spec.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "dse/symbolic/symbol_table.hpp"
#include "space/axis_yaml.hpp"
#include "space/expression_place.hpp"
#include "space/field_names.hpp"

namespace dse::space {

namespace {

using config::Diagnostics;
using config::FieldIndex;
using config::Node;

class SweepReader {
  public:
    SweepReader(const Node& root, const FieldIndex& fields, Diagnostics& diagnostics)
        : root_{root}, fields_{fields}, diagnostics_{diagnostics} {}

    SweepSpec run() {
        if (!root_.is_map()) {
            diagnostics_.error(root_.location(), root_.path(), "a sweep is a map with 'axes'");
            return std::move(spec_);
        }
        if (const Node* name = root_.find("name")) spec_.name = name->text();
        read_axes();
        read_derived();
        read_requirements();
        read_search();
        return std::move(spec_);
    }

  private:
    void read_axes() {
        const Node* axes = root_.find("axes");
        if (axes == nullptr || axes->is_null()) {
            const Node& where = axes == nullptr ? root_ : *axes;
            diagnostics_.error(where.location(), "axes", "'axes' is missing: what the sweep varies");
            return;
        }
        if (!axes->is_map()) {
            diagnostics_.error(axes->location(), axes->path(), "'axes' is a map from names to values");
            return;
        }
        if (axes->entries().empty()) {
            diagnostics_.error(axes->location(), axes->path(), "'axes' is empty: nothing is varied");
        }
        for (const Node::Entry& entry : axes->entries()) read_axis(entry, *axes);
    }

    void read_axis(const Node::Entry& entry, const Node& axes) {
        Axis axis;
        axis.name = entry.key;
        axis.where = entry.location;
        const std::string path = axes.path() + "." + entry.key;
        const FieldMatch match = match_field(fields_, entry.key);
        if (match.field != nullptr) {
            axis.info = match.field->info();
        } else if (match.refused || !symbolic::is_symbol_name(entry.key)) {
            diagnostics_.error(entry.location, path, match.reason);
            return;
        }
        const auto twin = std::find_if(spec_.axes.begin(), spec_.axes.end(), [&](const Axis& other) {
            return !axis.is_free() && other.info.path == axis.info.path;
        });
        if (twin != spec_.axes.end()) {
            diagnostics_.error(entry.location, path,
                               fmt::format("the axis '{}' (line {}) sets the same field, {}", twin->name,
                                           twin->where.line, axis.info.path));
            return;
        }
        read_values(entry.value, axis, diagnostics_);
        spec_.axes.push_back(std::move(axis));
    }

    void read_derived() {
        const Node* derive = root_.find("derive");
        if (derive == nullptr || derive->is_null()) return;
        if (!derive->is_map()) {
            diagnostics_.error(derive->location(), derive->path(),
                               "'derive' is a map from names to expressions");
            return;
        }
        for (const Node::Entry& entry : derive->entries()) {
            const std::string path = derive->path() + "." + entry.key;
            if (!symbolic::is_symbol_name(entry.key)) {
                diagnostics_.error(entry.location, path, fmt::format("'{}' cannot be a name", entry.key));
                continue;
            }
            read_formula(entry.key, entry.location, entry.value, path, spec_.derived);
        }
    }

    void read_requirements() {
        const Node* require = root_.find("require");
        if (require == nullptr || require->is_null()) return;
        if (require->is_scalar()) {
            read_formula("", require->location(), *require, require->path(), spec_.requirements);
        } else if (require->is_sequence()) {
            for (const Node& item : require->items()) {
                read_formula("", item.location(), item, item.path(), spec_.requirements);
            }
        } else {
            diagnostics_.error(require->location(), require->path(), "'require' is a list of conditions");
        }
    }

    void read_formula(const std::string& name, const config::Location& where, const Node& text,
                      const std::string& path, std::vector<Formula>& formulas) {
        if (!text.is_scalar()) {
            diagnostics_.error(text.location(), path,
                               fmt::format("{} stands where an expression is needed", text.describe()));
            return;
        }
        config::Location text_where = text.location();
        if (text.quoted()) ++text_where.column;
        try {
            formulas.push_back(
                {name, where, text_where, path, symbolic::ParsedExpression::parse(text.text())});
        } catch (const symbolic::ExpressionError& error) {
            report(diagnostics_, error, text_where, path, text.text());
        }
    }

    void read_search() {
        const Node* search = root_.find("search");
        if (search == nullptr) return reject_continuous_axes();
        config::read_struct(*search, spec_.search, nullptr, diagnostics_);
        const auto where = [&](const char* key) {
            const Node* node = search->find(key);
            return node == nullptr ? search->location() : node->location();
        };
        const SearchSpec& spec = spec_.search;
        try {
            static_cast<void>(samplers().find(spec.method));
        } catch (const InputError& error) {
            diagnostics_.error(where("method"), "search.method", error.what());
            return;
        }
        if (spec.seed < 0) diagnostics_.error(where("seed"), "search.seed", "a seed is not negative");
        if (spec.method == "grid") {
            if (spec.budget != 0) {
                diagnostics_.error(where("budget"), "search.budget",
                                   "a grid takes all points, it has no budget");
            }
            reject_continuous_axes();
        } else if (spec.budget <= 0) {
            diagnostics_.error(where("budget"), "search.budget",
                               fmt::format("'{}' needs a budget: how many points to draw", spec.method));
        }
    }

    void reject_continuous_axes() {
        for (const Axis& axis : spec_.axes) {
            if (!axis.continuum) continue;
            diagnostics_.error(
                axis.where, "axes." + axis.name,
                "a range without steps cannot be a grid (give 'step' or 'count', or search with "
                "random, sobol or latin_hypercube)");
        }
    }

    const Node& root_;
    const FieldIndex& fields_;
    Diagnostics& diagnostics_;
    SweepSpec spec_;
};

}  // namespace

SweepSpec read_sweep(const Node& root, const FieldIndex& fields, Diagnostics& diagnostics) {
    return SweepReader(root, fields, diagnostics).run();
}

}  // namespace dse::space
