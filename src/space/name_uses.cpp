#include "space/name_uses.hpp"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "dse/config/quantity.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::space {
namespace {

using config::FieldInfo;
using config::FieldType;
using symbolic::ValueType;

/// Maps the fixed text to 0 and any other text to 1, since texts are only compared for equality.
symbolic::TextResolver fixed_text_resolver(std::string fixed) {
    return [fixed = std::move(fixed)](std::string_view text, std::string&) {
        return std::optional<double>(text == fixed ? 0.0 : 1.0);
    };
}

void add_fixed(symbolic::SymbolTable& symbols, const Use& use) {
    const config::FieldRef& field = *use.referent.field;
    const FieldInfo& info = field.info();
    if (info.type == FieldType::text) {
        symbols.add_constant(use.written, ValueType::label, 0.0, fixed_text_resolver(field.read_text()));
    } else {
        symbols.add_constant(use.written, value_type(info.type), field.read(), text_resolver(info, {}));
    }
}

/// Reads quantities of the dimension of a unit; empty if that is a plain number.
symbolic::TextResolver quantity_resolver(const std::string& unit) {
    const config::Dimension dimension = config::dimension_of_unit(unit);
    if (dimension == config::Dimension{}) return {};
    FieldInfo info;
    info.type = FieldType::quantity;
    info.dimension = dimension;
    return text_resolver(info, {});
}

/// The unit of all quantities of its dimension that a derived value is computed from.
/// \param units  of the derived values that it uses
std::string unit_of_inputs(config::Dimension dimension, const Uses& uses, const std::vector<Axis>& axes,
                           std::span<const FieldInfo> derived, const std::vector<std::string>& units) {
    std::set<std::string> found;
    for (const Use& use : uses) {
        const bool is_axis = use.referent.kind == Referent::Kind::axis;
        if (!is_axis && use.referent.kind != Referent::Kind::derived) continue;
        const std::size_t index = use.referent.index;
        const FieldInfo& info = is_axis ? axes[index].info : derived[index];
        if (info.type == FieldType::quantity && info.dimension == dimension)
            found.insert(is_axis ? axes[index].unit : units[index]);
    }
    const bool is_shown = found.size() == 1 && !config::is_usual_unit(*found.begin(), dimension);
    return is_shown ? *found.begin() : std::string{};
}

}  // namespace

symbolic::ValueType value_type(FieldType type) {
    switch (type) {
        case FieldType::integer:
            return ValueType::integer;
        case FieldType::number:
        case FieldType::quantity:
            return ValueType::real;
        case FieldType::flag:
            return ValueType::flag;
        case FieldType::choice:
        case FieldType::text:
            return ValueType::label;
    }
    return ValueType::real;
}

symbolic::TextResolver text_resolver(const FieldInfo& info, const std::vector<std::string>& labels) {
    if (info.type == FieldType::quantity) {
        return [dimension = info.dimension](std::string_view text, std::string& error) {
            return config::parse_quantity(text, dimension, error);
        };
    }
    // An axis with a single text counts as fixed: `--set` may reduce a sweep's files to one, but its
    // conditions still name all of them.
    if (info.type == FieldType::text && labels.size() == 1) return fixed_text_resolver(labels.front());
    if (!labels.empty()) return symbolic::label_resolver(labels);
    // A derived name is one of those that its expression gives.
    if (info.type == FieldType::text && info.choices.size() == 1)
        return fixed_text_resolver(info.choices.front());
    const bool has_names = info.type == FieldType::choice || info.type == FieldType::text;
    if (has_names && !info.choices.empty()) return symbolic::label_resolver(info.choices);
    return {};
}

symbolic::SymbolTable symbols_for(const Uses& uses, const std::vector<Axis>& axes,
                                  std::span<const FieldInfo> derived, std::span<const std::string> metrics) {
    symbolic::SymbolTable symbols;
    for (const Use& use : uses) {
        const std::size_t index = use.referent.index;
        switch (use.referent.kind) {
            case Referent::Kind::axis:
                symbols.add_at(use.written, index, value_type(axes[index].info.type),
                               text_resolver(axes[index].info, axes[index].labels));
                break;
            case Referent::Kind::derived:
                symbols.add_at(use.written, axes.size() + index, value_type(derived[index].type),
                               text_resolver(derived[index], {}));
                break;
            case Referent::Kind::metric:
                symbols.add_at(
                    use.written, axes.size() + derived.size() + index, ValueType::real,
                    index < metrics.size() ? quantity_resolver(metrics[index]) : symbolic::TextResolver{});
                break;
            case Referent::Kind::field:
                add_fixed(symbols, use);
                break;
        }
    }
    return symbols;
}

std::vector<std::string> derived_units(const SweepSpec& spec, std::span<const FieldInfo> derived,
                                       std::span<const Uses> uses, const std::vector<std::size_t>& order) {
    std::vector<std::string> units(derived.size());
    for (const std::size_t i : order) {
        if (derived[i].type != FieldType::quantity) continue;
        units[i] = spec.derived[i].unit;
        if (units[i].empty())
            units[i] = unit_of_inputs(derived[i].dimension, uses[i], spec.axes, derived, units);
    }
    return units;
}

}  // namespace dse::space
