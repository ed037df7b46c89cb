#include <algorithm>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/joint_axis.hpp"
#include "dse/space/sweep_spec.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "dse/symbolic/symbol_table.hpp"
#include "space/axis_yaml.hpp"
#include "space/comparison.hpp"
#include "space/expression_place.hpp"
#include "space/field_names.hpp"
#include "space/search_spec_yaml.hpp"

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
        read_formulas("derive", spec_.derived);
        read_requirements();
        read_formulas("metrics", spec_.metrics);
        read_constraints();
        spec_.search = read_search(root_.find("search"), spec_.axes, diagnostics_);
        if (const Node* exec = root_.find("exec")) {
            spec_.exec = read_exec(*exec, diagnostics_);
            spec_.added = spec_.exec->metrics;
            std::erase_if(spec_.added, is_known_metric);
        }
        return std::move(spec_);
    }

  private:
    static bool is_known_metric(const AddedMetric& metric) {
        const auto fields = metrics::metric_fields();
        return std::any_of(fields.begin(), fields.end(),
                           [&](const metrics::MetricField& field) { return field.name == metric.name; });
    }

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

    /// Becomes an axis that sets nothing, and what is derived from it.
    void read_joint_axis(const Node::Entry& entry, const std::vector<const Node*>& records,
                         const std::string& path) {
        const JointAxis joint = read_joint(entry.key, records, fields_, diagnostics_);
        if (joint.labels.empty()) return;
        Axis axis;
        axis.name = entry.key;
        axis.where = entry.location;
        set_labels(joint.labels, axis);
        spec_.axes.push_back(std::move(axis));
        for (const JointAxis::Column& column : joint.columns) {
            const std::size_t before = spec_.derived.size();
            read_text(column.field, column.where->location(), column.where->location(), column.formula,
                      path + "." + column.field, spec_.derived);
            if (spec_.derived.size() > before) spec_.derived.back().unit = column.unit;
        }
    }

    void read_axis(const Node::Entry& entry, const Node& axes) {
        Axis axis;
        axis.name = entry.key;
        axis.where = entry.location;
        const std::string path = axes.path() + "." + entry.key;
        const FieldMatch match = match_field(fields_, entry.key);
        const bool sets_nothing =
            match.field == nullptr && !match.refused && symbolic::is_symbol_name(entry.key);
        const std::vector<const Node*> records = records_of(entry.value);
        if (sets_nothing && !records.empty()) return read_joint_axis(entry, records, path);
        if (match.field != nullptr) {
            axis.info = match.field->info();
        } else if (match.refused || !symbolic::is_symbol_name(entry.key)) {
            diagnostics_.error(
                entry.location, path,
                fields_.why_unresolved(entry.key) +
                    (match.refused ? ", or another name, if the axis shall set no field" : ""));
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
        const Node* values = condition_of(entry.value, path);
        if (values == nullptr) return;
        read_values(*values, axis, diagnostics_);
        spec_.axes.push_back(std::move(axis));
    }

    /// Reads {when: condition, values: …}. \returns the node with the axis' values; nullptr after an error
    const Node* condition_of(const Node& axis, const std::string& path) {
        const Node* when = axis.is_map() ? axis.find("when") : nullptr;
        if (when == nullptr) return &axis;
        static const std::vector<std::string> keys{"when", "values"};
        for (const Node::Entry& entry : axis.entries()) {
            if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
            diagnostics_.error(entry.location, path + "." + entry.key,
                               fmt::format("unknown key '{}'{} (a range goes under 'values')", entry.key,
                                           suggestion(entry.key, keys)));
        }
        std::vector<Formula> formula;
        read_formula("", when->location(), *when, path + ".when", formula);
        if (!formula.empty()) spec_.conditions.push_back({spec_.axes.size(), std::move(formula.front())});
        const Node* values = axis.find("values");
        if (values == nullptr)
            diagnostics_.error(axis.location(), path,
                               "'values' is missing: what the axis has where it holds");
        return values;
    }

    void read_formulas(const char* key, std::vector<Formula>& formulas) {
        const Node* map = root_.find(key);
        if (map == nullptr || map->is_null()) return;
        if (!map->is_map()) {
            diagnostics_.error(map->location(), map->path(),
                               fmt::format("'{}' is a map from names to expressions", key));
            return;
        }
        for (const Node::Entry& entry : map->entries()) {
            const std::string path = map->path() + "." + entry.key;
            if (!symbolic::is_symbol_name(entry.key)) {
                diagnostics_.error(entry.location, path, fmt::format("'{}' cannot be a name", entry.key));
                continue;
            }
            read_formula(entry.key, entry.location, entry.value, path, formulas);
        }
    }

    void read_requirements() {
        for (const char* key : {"require", demanded_key}) {
            for (const Node* item : conditions_under(key))
                read_formula("", item->location(), *item, item->path(), spec_.requirements);
        }
    }

    /// Conjunctions are split, so that the distance of an answer from each part is known.
    void read_constraints() {
        for (const Node* item : conditions_under("where")) {
            if (!item->is_scalar()) {
                read_formula("", item->location(), *item, item->path(), spec_.constraints);
                continue;
            }
            for (const TextPart& part : conjuncts(item->text())) {
                config::Location where = text_location(*item);
                where.column += static_cast<int>(part.start);
                read_text("", item->location(), where, part.text, item->path(), spec_.constraints);
            }
        }
    }

    /// One condition, or a list of them.
    std::vector<const Node*> conditions_under(const char* key) {
        const Node* node = root_.find(key);
        if (node == nullptr || node->is_null()) return {};
        if (node->is_scalar()) return {node};
        std::vector<const Node*> items;
        if (node->is_sequence()) {
            for (const Node& item : node->items()) items.push_back(&item);
        } else {
            diagnostics_.error(node->location(), node->path(),
                               fmt::format("'{}' is a list of conditions", key));
        }
        return items;
    }

    void read_formula(const std::string& name, const config::Location& where, const Node& text,
                      const std::string& path, std::vector<Formula>& formulas) {
        if (!text.is_scalar()) {
            diagnostics_.error(text.location(), path,
                               fmt::format("expected an expression, found {}", text.describe()));
            return;
        }
        read_text(name, where, text_location(text), text.text(), path, formulas);
    }

    static config::Location text_location(const Node& text) {
        config::Location where = text.location();
        if (text.quoted()) ++where.column;
        return where;
    }

    void read_text(const std::string& name, const config::Location& where, const config::Location& text_where,
                   const std::string& text, const std::string& path, std::vector<Formula>& formulas) {
        try {
            formulas.push_back({name, where, text_where, path, symbolic::ParsedExpression::parse(text)});
        } catch (const symbolic::ExpressionError& error) {
            report(diagnostics_, error, text_where, path, text);
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
