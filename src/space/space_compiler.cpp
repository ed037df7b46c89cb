#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/space.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "space/axis_yaml.hpp"
#include "space/bare_numbers.hpp"
#include "space/comparison.hpp"
#include "space/expression_place.hpp"
#include "space/field_names.hpp"
#include "space/name_scope.hpp"
#include "space/name_uses.hpp"
#include "space/need_order.hpp"
#include "space/step_order.hpp"

namespace dse::space {
namespace {

using config::Diagnostics;
using config::FieldInfo;
using config::FieldType;
using symbolic::ValueType;

/// As many errors as Diagnostics::text() shows. The nearest name of thousands of others would take seconds.
constexpr std::size_t most_suggestions = 200;

}  // namespace

/// Turns a SweepSpec into a Space. Each pass reports all errors of its kind; later passes run only if those
/// they build on succeeded.
class SpaceCompiler {
  public:
    SpaceCompiler(SweepSpec spec, const config::FieldIndex& fields, Diagnostics& diagnostics)
        : spec_{std::move(spec)},
          fields_{fields},
          diagnostics_{diagnostics},
          scope_{spec_, fields_},
          metric_units_{units_of_metrics(spec_)} {}

    std::optional<Space> run() {
        const std::size_t errors_before = diagnostics_.error_count();
        check_derived_names();
        resolve_names();
        check_free_axes();
        const std::vector<std::size_t> order = derived_order();
        if (diagnostics_.error_count() != errors_before) return std::nullopt;
        compile_derived(order);
        if (diagnostics_.error_count() != errors_before) return std::nullopt;
        compile_requirements();
        compile_conditions();
        compile_metrics();
        compile_constraints();
        if (diagnostics_.error_count() != errors_before || !has_values()) return std::nullopt;
        return assemble(order);
    }

  private:
    /// An axis without values had only invalid ones, which were reported when they were read.
    [[nodiscard]] bool has_values() const {
        return std::all_of(spec_.axes.begin(), spec_.axes.end(),
                           [](const Axis& axis) { return axis.continuum || axis.values.count() > 0; });
    }

    void check_derived_names() {
        for (std::size_t i = 0; i < spec_.derived.size(); ++i) {
            const Formula& formula = spec_.derived[i];
            for (const Axis& axis : spec_.axes) {
                const bool same_field = !axis.is_free() && axis.info.path == scope_.target(i);
                if (axis.name != formula.name && !same_field) continue;
                error(formula, fmt::format("'{}' is an axis already (line {})", axis.name, axis.where.line));
            }
            for (std::size_t j = 0; j < i; ++j) {
                if (scope_.target(i).empty() || scope_.target(i) != scope_.target(j)) continue;
                error(formula, fmt::format("'{}' (line {}) sets the same field, {}", spec_.derived[j].name,
                                           spec_.derived[j].where.line, scope_.target(i)));
            }
            const FieldMatch match = match_field(fields_, formula.name);
            if (match.refused) error(formula, fields_.why_unresolved(formula.name));
        }
    }

    void resolve_names() {
        for (const Formula& formula : spec_.derived) derived_uses_.push_back(uses_of(formula));
        for (const Formula& formula : spec_.requirements) requirement_uses_.push_back(uses_of(formula));
        for (const ConditionSpec& condition : spec_.conditions)
            condition_uses_.push_back(uses_of(condition.formula));
    }

    enum class Names { of_points, also_metrics };

    /// \param names  in expressions over answers, names refer to metrics first
    Uses uses_of(const Formula& formula, Names names = Names::of_points) {
        Uses uses;
        for (const symbolic::NameUse& use : formula.parsed.names()) {
            const auto metric = names == Names::also_metrics ? metric_of(use.name) : std::nullopt;
            if (metric) {
                uses.push_back({use.name, {Referent::Kind::metric, *metric, nullptr}});
                continue;
            }
            std::string reason;
            const auto referent = scope_.find(use.name, reason);
            if (referent) {
                uses.push_back({use.name, *referent});
                if (referent->kind == Referent::Kind::field) check_fixed(formula, use, *referent->field);
                continue;
            }
            if (names == Names::also_metrics) reason += with_metric(use.name);
            const symbolic::ExpressionError error(formula.parsed.text(), use.position, reason);
            report(diagnostics_, error, formula.text_where, formula.path, formula.parsed.text());
        }
        return uses;
    }

    /// A field inside something that an axis or a derived name replaces as a whole (e.g. the fields of a
    /// cluster if the cluster is an axis) is not fixed.
    void check_fixed(const Formula& formula, const symbolic::NameUse& use, const config::FieldRef& field) {
        const auto check = [&](const FieldInfo& outer, const std::string& name,
                               const config::Location& where) {
            if (outer.type != FieldType::text || !field.info().path.starts_with(outer.path + ".")) return;
            const symbolic::ExpressionError error(
                formula.parsed.text(), use.position,
                fmt::format("'{}' differs from one '{}' to the next (line {}), expressions cannot use it",
                            use.name, name, where.line));
            report(diagnostics_, error, formula.text_where, formula.path, formula.parsed.text());
        };
        for (const Axis& axis : spec_.axes) check(axis.info, axis.name, axis.where);
        for (const Formula& derived : spec_.derived) {
            const FieldMatch target = match_field(fields_, derived.name);
            if (target.field != nullptr) check(target.field->info(), derived.name, derived.where);
        }
    }

    /// An axis that neither sets a field nor is used anywhere is a misspelt field.
    void check_free_axes() {
        if (fields_.fields().empty()) return;  // a stand-alone space: its evaluator reads the axes
        std::set<std::size_t> used;
        for (const std::vector<Uses>* all : {&derived_uses_, &requirement_uses_, &condition_uses_}) {
            for (const Uses& uses : *all) {
                for (const Use& use : uses) {
                    if (use.referent.kind == Referent::Kind::axis) used.insert(use.referent.index);
                }
            }
        }
        std::size_t unused = 0;
        for (std::size_t i = 0; i < spec_.axes.size(); ++i) {
            const Axis& axis = spec_.axes[i];
            if (!axis.is_free() || used.count(i) != 0) continue;
            const std::string reason = ++unused <= most_suggestions
                                           ? fields_.why_unresolved(axis.name)
                                           : fmt::format("no field is called '{}'", axis.name);
            diagnostics_.error(axis.where, "axes." + axis.name,
                               reason + ", and neither 'derive' nor 'require' uses it");
        }
    }

    std::vector<std::size_t> derived_order() {
        std::vector<std::vector<std::size_t>> needs;
        for (const Uses& uses : derived_uses_) {
            std::vector<std::size_t> need;
            for (const Use& use : uses) {
                if (use.referent.kind == Referent::Kind::derived) need.push_back(use.referent.index);
            }
            needs.push_back(std::move(need));
        }
        NeedOrder result = order_by_need(needs);
        if (!result.cycle.empty()) report_cycle(result.cycle);
        return std::move(result.order);
    }

    void report_cycle(const std::vector<std::size_t>& cycle) {
        std::string text;
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            const Formula& from = spec_.derived[cycle[i]];
            const Formula& to = spec_.derived[cycle[(i + 1) % cycle.size()]];
            text += fmt::format("{}'{}' ({}) needs '{}'", i == 0 ? "" : ", ", from.name,
                                to_string(from.where), to.name);
        }
        error(spec_.derived[cycle.front()], "a cycle: " + text);
    }

    void compile_derived(const std::vector<std::size_t>& order) {
        infos_.resize(spec_.derived.size());
        derived_.resize(spec_.derived.size());
        for (const std::size_t i : order) {
            const Formula& formula = spec_.derived[i];
            const FieldMatch target = match_field(fields_, formula.name);
            const bool holds_names = target.field != nullptr && target.field->info().type == FieldType::text;
            std::vector<std::string> names;
            symbolic::TextResolver result;
            if (holds_names) {
                result = name_collector(formula, target.field->info(), names);
            } else if (target.field != nullptr) {
                result = text_resolver(target.field->info(), {});
            }
            auto expression = compile(formula, derived_uses_[i], result);
            if (!expression) return;
            if (holds_names) {
                check_names(formula, target.field->info(), *expression, names);
                infos_[i] = target.field->info();
                infos_[i].choices = names;
            } else if (target.field != nullptr) {
                check_target(formula, target.field->info(), expression->type());
                infos_[i] = target.field->info();
            } else if (expression->type() == ValueType::label) {
                error(formula, "a derived value that sets no field is a number, not a label");
            } else {
                infos_[i].type = free_type(expression->type());
            }
            derived_[i] = std::move(expression);
        }
    }

    /// Numbers the names that an expression may give, in order of appearance.
    symbolic::TextResolver name_collector(const Formula& formula, const FieldInfo& info,
                                          std::vector<std::string>& names) {
        return [&](std::string_view text, std::string&) -> std::optional<double> {
            const auto node = config::Node::scalar(std::string{text}, formula.path, formula.where);
            const std::string name = read_name(node, info, diagnostics_).value_or(std::string{text});
            const auto found = std::find(names.begin(), names.end(), name);
            const auto index = found - names.begin();
            if (found == names.end()) names.push_back(name);
            return static_cast<double>(index);
        };
    }

    /// Names stand in the expression itself: those of another axis have numbers of their own.
    void check_names(const Formula& formula, const FieldInfo& info, const symbolic::Expression& expression,
                     const std::vector<std::string>& names) {
        if (expression.type() == ValueType::label && !names.empty()) return;
        error(formula,
              fmt::format("{} holds a name: give names in quotes, as in 'a' if tp > 1 else 'b'", info.path));
    }

    static FieldType free_type(ValueType type) {
        if (type == ValueType::flag) return FieldType::flag;
        return type == ValueType::integer ? FieldType::integer : FieldType::number;
    }

    void check_target(const Formula& formula, const FieldInfo& info, ValueType type) {
        const ValueType wanted = value_type(info.type);
        const bool fits = type == wanted || (wanted == ValueType::real && type == ValueType::integer);
        if (fits) return;
        const char* hint = wanted == ValueType::integer && type == ValueType::real
                               ? " (floor(…), ceil(…) and round(…) make integers)"
                               : "";
        error(formula, fmt::format("{} holds {}, the expression gives {}{}", info.path,
                                   symbolic::describe(wanted), symbolic::describe(type), hint));
    }

    void compile_requirements() {
        for (std::size_t i = 0; i < spec_.requirements.size(); ++i) {
            const Formula& formula = spec_.requirements[i];
            auto expression = compile(formula, requirement_uses_[i], {});
            if (!expression || !check_condition(formula, *expression)) continue;
            note_bare_numbers(formula, requirement_uses_[i], spec_.axes, infos_, {}, diagnostics_);
            requirements_.push_back({formula.where, *expression});
        }
    }

    void compile_conditions() {
        for (std::size_t i = 0; i < spec_.conditions.size(); ++i) {
            const Formula& formula = spec_.conditions[i].formula;
            auto expression = compile(formula, condition_uses_[i], {});
            if (!expression || !check_condition(formula, *expression) ||
                !check_earlier(formula, *expression, spec_.conditions[i].axis))
                continue;
            Condition condition{formula.where, *expression, spec_.conditions[i].axis, 0.0, 0.0};
            if (set_idle(formula, condition)) conditions_.push_back(std::move(condition));
        }
    }

    /// Axes are fixed in order, so a condition may only depend on earlier axes.
    bool check_earlier(const Formula& formula, const symbolic::Expression& expression, std::size_t axis) {
        for (const std::size_t slot : expression.slots()) {
            const std::size_t count = spec_.axes.size();
            if (slot >= count) {
                if (!check_earlier(formula, *derived_[slot - count], axis)) return false;
            } else if (slot >= axis) {
                error(formula, fmt::format("the condition of '{}' depends on the axis '{}', which is not "
                                           "declared before it",
                                           spec_.axes[axis].name, spec_.axes[slot].name));
                return false;
            }
        }
        return true;
    }

    /// Sets the value of an axis whose condition does not hold: the value that its field has without the
    /// axis.
    bool set_idle(const Formula& formula, Condition& condition) {
        Axis& axis = spec_.axes[condition.axis];
        const config::FieldRef* field = axis.is_free() ? nullptr : fields_.resolve(axis.info.path);
        if (field == nullptr || axis.continuum) {
            error(formula, axis.continuum ? "an axis without steps cannot depend on others"
                                          : "an axis that sets no field cannot depend on others: it has no "
                                            "value to take where it is idle");
            return false;
        }
        if (field->info().type == FieldType::text && field->read_text().empty()) {
            // A column of the results has a name for every value.
            error(formula, fmt::format("where '{}' is idle, its field has its own value, and that is empty "
                                       "(state {} outside of the axes)",
                                       axis.name, axis.info.path));
            return false;
        }
        condition.idle = idle_value(*field, axis);
        condition.stand_in = condition.idle;
        for (std::uint64_t i = 0; i < axis.values.count(); ++i) {
            if (axis.values[i] == condition.idle) return true;
        }
        if (axis.values.count() > 0) condition.stand_in = axis.values[0];
        return true;
    }

    static double idle_value(const config::FieldRef& field, Axis& axis) {
        if (field.info().type != FieldType::text) return field.read();
        const std::string name = field.read_text();
        const auto known = std::find(axis.labels.begin(), axis.labels.end(), name);
        const auto index = known - axis.labels.begin();
        if (known == axis.labels.end()) axis.labels.push_back(name);
        return static_cast<double>(index);
    }

    [[nodiscard]] std::optional<std::size_t> metric_of(std::string_view name) const {
        const auto fields = metrics::metric_fields();
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (fields[i].name == name) return i;
        }
        for (std::size_t i = 0; i < spec_.added.size(); ++i) {
            if (spec_.added[i].name == name) return fields.size() + i;
        }
        for (std::size_t i = 0; i < metrics_.size(); ++i) {
            if (metrics_[i].name == name) return fields.size() + spec_.added.size() + i;
        }
        return std::nullopt;
    }

    /// By the index that metric_of() returns; of those that the sweep does not compute itself.
    static std::vector<std::string> units_of_metrics(const SweepSpec& spec) {
        std::vector<std::string> units;
        for (const metrics::MetricField& field : metrics::metric_fields()) units.emplace_back(field.unit);
        for (const AddedMetric& metric : spec.added) units.push_back(metric.unit);
        return units;
    }

    [[nodiscard]] std::string with_metric(std::string_view name) const {
        std::vector<std::string> known;
        for (const metrics::MetricField& field : metrics::metric_fields()) known.emplace_back(field.name);
        for (const AddedMetric& metric : spec_.added) known.push_back(metric.name);
        const auto close = nearest(name, known);
        return close ? fmt::format(" (or the metric '{}'?)", *close) : "";
    }

    /// In declared order: each metric may use those before it.
    void compile_metrics() {
        for (const Formula& formula : spec_.metrics) {
            if (metric_of(formula.name)) {
                error(formula, fmt::format("'{}' is a metric already", formula.name));
                continue;
            }
            const std::size_t before = diagnostics_.error_count();
            const Uses uses = uses_of(formula, Names::also_metrics);
            if (diagnostics_.error_count() != before) continue;
            auto expression = compile(formula, uses, {});
            if (!expression) continue;
            if (expression->type() == ValueType::label) error(formula, "a metric is a number, not a label");
            metrics_.push_back({formula.name, formula.where, *expression});
        }
    }

    void compile_constraints() {
        for (const Formula& formula : spec_.constraints) {
            const std::size_t before = diagnostics_.error_count();
            const Uses uses = uses_of(formula, Names::also_metrics);
            if (diagnostics_.error_count() != before) continue;
            auto expression = compile(formula, uses, {});
            if (!expression || !check_condition(formula, *expression)) continue;
            note_bare_numbers(formula, uses, spec_.axes, infos_, metric_units_, diagnostics_);
            constraints_.push_back({formula.where, *expression, sides_of(formula, uses)});
        }
    }

    /// Empty if the formula is not a comparison of numbers.
    std::vector<symbolic::Expression> sides_of(const Formula& formula, const Uses& uses) {
        const auto sides = ordered_sides(formula.parsed.text());
        if (!sides) return {};
        try {
            const symbolic::SymbolTable symbols = symbols_for(uses, spec_.axes, infos_, metric_units_);
            return {symbolic::Expression::parse(sides->first, symbols),
                    symbolic::Expression::parse(sides->second, symbols)};
        } catch (const symbolic::ExpressionError&) {
            return {};  // a comparison with a quoted text: only whether it holds is known
        }
    }

    bool check_condition(const Formula& formula, const symbolic::Expression& expression) {
        if (expression.type() == ValueType::flag) return true;
        error(formula, fmt::format("'{}' is {}, not a condition (compare it, as in '… == 0')",
                                   formula.parsed.text(), symbolic::describe(expression.type())));
        return false;
    }

    std::optional<symbolic::Expression> compile(const Formula& formula, const Uses& uses,
                                                const symbolic::TextResolver& result) {
        try {
            return symbolic::Expression::compile(
                formula.parsed, symbols_for(uses, spec_.axes, infos_, metric_units_), result);
        } catch (const symbolic::ExpressionError& error) {
            report(diagnostics_, error, formula.text_where, formula.path, formula.parsed.text());
            return std::nullopt;
        }
    }

    Space assemble(const std::vector<std::size_t>& order) {
        Space space;
        space.name_ = std::move(spec_.name);
        space.search_ = spec_.search;
        space.exec_ = std::move(spec_.exec);
        space.added_ = std::move(spec_.added);
        const std::vector<std::string> units = derived_units(spec_, infos_, derived_uses_, order);
        for (std::size_t i = 0; i < derived_.size(); ++i) {
            const Formula& formula = spec_.derived[i];
            Derived derived{formula.name, formula.where, infos_[i], *derived_[i]};
            derived.unit = units[i];
            if (!derived.info.path.empty() && derived.info.type == FieldType::integer) {
                derived.smallest = derived.info.smallest;
                derived.largest = derived.info.largest;
            }
            space.derived_.push_back(std::move(derived));
        }
        space.requirements_ = std::move(requirements_);
        space.conditions_ = std::move(conditions_);
        space.metrics_ = std::move(metrics_);
        space.constraints_ = std::move(constraints_);
        space.axes_ = std::move(spec_.axes);
        space.steps_ = order_steps(space, order);
        for (std::size_t depth = 0; depth <= space.axes_.size() + 1; ++depth) {
            const auto first = std::find_if(space.steps_.begin(), space.steps_.end(),
                                            [&](const Step& step) { return step.depth >= depth; });
            space.first_step_.push_back(static_cast<std::size_t>(first - space.steps_.begin()));
        }
        measure(space);
        return space;
    }

    /// Computes sizes, and strides if they fit into 63 bits.
    static void measure(Space& space) {
        constexpr std::uint64_t largest = std::uint64_t{1} << 63U;
        std::uint64_t product = 1;
        bool exact = true;
        space.grid_size_.approximate = 1.0;
        space.strides_.assign(space.axes_.size(), 0);
        for (std::size_t i = space.axes_.size(); i-- > 0;) {
            const std::uint64_t count = space.axes_[i].continuum ? 1 : space.axes_[i].values.count();
            space.grid_size_.approximate *= static_cast<double>(count);
            space.strides_[i] = product;
            exact = exact && count <= largest / product;
            if (exact) product *= count;
        }
        if (exact) space.grid_size_.exact = product;
    }

    void error(const Formula& formula, std::string message) {
        diagnostics_.error(formula.where, formula.path, std::move(message));
    }

    SweepSpec spec_;
    const config::FieldIndex& fields_;
    Diagnostics& diagnostics_;
    NameScope scope_;
    std::vector<std::string> metric_units_;  ///< of those that the sweep does not compute itself
    std::vector<Uses> derived_uses_;
    std::vector<Uses> requirement_uses_;
    std::vector<Uses> condition_uses_;
    std::vector<FieldInfo> infos_;
    std::vector<std::optional<symbolic::Expression>> derived_;
    std::vector<Requirement> requirements_;
    std::vector<Condition> conditions_;
    std::vector<DerivedMetric> metrics_;
    std::vector<Constraint> constraints_;
};

std::optional<Space> Space::compile(SweepSpec spec, const config::FieldIndex& fields,
                                    Diagnostics& diagnostics) {
    return SpaceCompiler(std::move(spec), fields, diagnostics).run();
}

}  // namespace dse::space
