#include "space/axis_yaml.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <map>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/file_name.hpp"
#include "dse/config/written_unit.hpp"
#include "dse/space/joint_axis.hpp"

namespace dse::space {

namespace {

using config::Diagnostics;
using config::FieldInfo;
using config::FieldType;
using config::Node;

FieldInfo info_of(FieldType type) {
    FieldInfo info;
    info.type = type;
    return info;
}

bool parses_as(const Node& node, FieldType type) {
    Diagnostics ignored;
    return !node.quoted() && config::parse_value(node, info_of(type), ignored).has_value();
}

/// Whether a number is written as an integer: "1.0" is whole, but written as a real number.
bool parses_as_integer(const Node& node) {
    return parses_as(node, FieldType::integer) && node.text().find_first_of(".eE") == std::string::npos;
}

/// Type of a free axis: the narrowest one that fits all of its values.
FieldType inferred_type(const std::vector<const Node*>& values) {
    const auto whole = [](const Node* node) { return parses_as_integer(*node); };
    if (std::all_of(values.begin(), values.end(), whole)) return FieldType::integer;
    for (const FieldType type : {FieldType::number, FieldType::flag}) {
        if (std::all_of(values.begin(), values.end(),
                        [&](const Node* node) { return parses_as(*node, type); })) {
            return type;
        }
    }
    return FieldType::text;
}

std::string why_no_name(const Node& node, const FieldInfo& info) {
    std::string why = fmt::format("expected a name, found {}", node.describe());
    if (!info.sets_others || !node.is_map()) return why;
    const Node* base = node.find("base");
    return why + fmt::format(
                     ": write it into a file of its own that begins with 'base: {}', and name that by "
                     "its path, ./NAME.yaml; or make its fields axes",
                     base != nullptr && base->is_scalar() ? base->text() : "…");
}

/// Labels are numbered in order of appearance, unless the field has fixed choices.
std::optional<double> read_label(const Node& node, Axis& axis, Diagnostics& diagnostics) {
    const std::optional<std::string> label = read_name(node, axis.info, diagnostics);
    if (!label) return std::nullopt;
    const auto found = std::find(axis.labels.begin(), axis.labels.end(), *label);
    if (found != axis.labels.end()) return static_cast<double>(found - axis.labels.begin());
    axis.labels.push_back(*label);
    return static_cast<double>(axis.labels.size() - 1);
}

std::optional<double> read_value(const Node& node, Axis& axis, Diagnostics& diagnostics) {
    if (axis.info.type == FieldType::text) return read_label(node, axis, diagnostics);
    return config::parse_value(node, axis.info, diagnostics);
}

void read_list(const std::vector<const Node*>& nodes, Axis& axis, Diagnostics& diagnostics) {
    if (axis.is_free()) axis.info.type = inferred_type(nodes);
    axis.unit = shared_unit(nodes, axis.info);
    if (axis.info.type == FieldType::choice) axis.labels = axis.info.choices;
    std::vector<double> values;
    std::map<double, const Node*> seen;
    for (const Node* node : nodes) {
        const std::optional<double> value = read_value(*node, axis, diagnostics);
        if (!value) continue;
        const auto [first, fresh] = seen.emplace(*value, node);
        if (fresh) {
            values.push_back(*value);
        } else {
            diagnostics.error(node->location(), node->path(),
                              fmt::format("the value {} appears twice (first at line {})", node->text(),
                                          first->second->location().line));
        }
    }
    axis.values = AxisValues::list(std::move(values));
}

/// A multiple of a decimal step as it would be written: 0.6, although the binary multiple of 0.2 is
/// 0.6000000000000001. Digits beyond the 15 that every decimal preserves, counted from the largest value of
/// the range, are rounding errors.
double as_written(double value, double largest) {
    const int whole_digits = largest > 0.0 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 1;
    const std::string text = fmt::format("{:.{}f}", value, std::max(0, 15 - whole_digits));
    return std::strtod(text.c_str(), nullptr) + 0.0;  // no negative zero
}

enum class Scale { linear, log2, log10, log };

/// Reads {from, to, …} into the axis.
class RangeReader {
  public:
    RangeReader(const Node& node, Axis& axis, Diagnostics& diagnostics)
        : node_{node}, axis_{axis}, diagnostics_{diagnostics} {}

    void run() {
        if (!known_keys() || !settle_type()) return;
        const std::optional<double> from = bound("from");
        const std::optional<double> to = bound("to");
        const std::optional<Scale> scale = read_scale();
        FieldInfo difference = axis_.info;
        difference.range = {};
        const std::optional<double> step = optional_value("step", difference);
        const std::optional<double> count = optional_value("count", integer_);
        axis_.unit = shared_unit(present({"from", "to"}), axis_.info);
        if (!from || !to || !scale || failed_) return;
        if (*from > *to) return fail(key("from"), "'from' is larger than 'to'");
        if (*scale != Scale::linear && *from <= 0.0)
            return fail(key("from"), "a logarithmic range starts above 0");
        if (step && count) return fail(key("count"), "'step' and 'count' exclude each other");
        if (step && *scale != Scale::linear) return fail(key("step"), "'step' needs the linear scale");
        if (step) return by_step(*from, *to, *step);
        if (count) return by_count(*from, *to, *scale, *count);
        without_count(*from, *to, *scale);
    }

  private:
    bool known_keys() {
        static const std::vector<std::string> keys{"from", "to", "step", "scale", "count"};
        bool good = true;
        for (const Node::Entry& entry : node_.entries()) {
            if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
            diagnostics_.error(entry.location, node_.path() + "." + entry.key,
                               fmt::format("unknown key '{}'{}", entry.key, suggestion(entry.key, keys)));
            good = false;
        }
        return good;
    }

    bool settle_type() {
        if (axis_.is_free()) {
            axis_.info.type = inferred_type(present({"from", "to", "step"}));
        }
        const FieldType type = axis_.info.type;
        if (type == FieldType::integer || type == FieldType::number || type == FieldType::quantity)
            return true;
        fail(node_, "a range needs numbers (list the values: [a, b])");
        return false;
    }

    [[nodiscard]] std::vector<const Node*> present(std::initializer_list<const char*> names) const {
        std::vector<const Node*> values;
        for (const char* name : names) {
            if (const Node* value = node_.find(name)) values.push_back(value);
        }
        return values;
    }

    std::optional<double> bound(const char* name) {
        if (node_.find(name) == nullptr) fail(node_, fmt::format("'{}' is missing", name));
        return optional_value(name, axis_.info);
    }

    std::optional<double> optional_value(const char* name, const FieldInfo& info) {
        const Node* value = node_.find(name);
        if (value == nullptr) return std::nullopt;
        const std::optional<double> result = config::parse_value(*value, info, diagnostics_);
        failed_ = failed_ || !result;
        return result;
    }

    std::optional<Scale> read_scale() {
        static const std::vector<std::string> names{"linear", "log2", "log10", "log"};
        const Node* value = node_.find("scale");
        if (value == nullptr) return Scale::linear;
        const auto found = std::find(names.begin(), names.end(), value->text());
        if (found != names.end()) return static_cast<Scale>(found - names.begin());
        fail(*value, fmt::format("unknown scale '{}'{}", value->text(), suggestion(value->text(), names)));
        return std::nullopt;
    }

    void by_step(double from, double to, double step) {
        if (step <= 0.0) return fail(key("step"), "'step' must be above 0");
        // The end is part of the range, although 0.1 + 2 · 0.1 is not 0.3.
        const double slack = axis_.info.type == FieldType::integer ? 0.0 : 1e-9;
        const double steps = std::floor((to - from) / step + slack);
        if (steps >= most_values) return fail(key("step"), "more values than an axis can have (2^53)");
        axis_.values = AxisValues::sequence(from, step, static_cast<std::uint64_t>(steps) + 1);
        if (axis_.info.type != FieldType::integer && steps < most_listed)
            round_values(std::max(std::abs(from), std::abs(to)));
    }

    /// Lists the values if they differ from those that one would write.
    void round_values(double largest) {
        std::vector<double> values;
        bool differs = false;
        for (std::uint64_t i = 0; i < axis_.values.count(); ++i) {
            values.push_back(as_written(axis_.values[i], largest));
            differs = differs || values.back() != axis_.values[i];
        }
        if (differs) axis_.values = AxisValues::list(std::move(values));
    }

    void by_count(double from, double to, Scale scale, double count) {
        if (count < 1.0 || (count == 1.0 && from != to))
            return fail(key("count"), "'count' must be 2 or more");
        if (count > most_listed) return fail(key("count"), fmt::format("'count' is above {}", most_listed));
        const auto last = static_cast<std::uint64_t>(count) - 1;
        std::vector<double> values;
        values.reserve(last + 1);
        const Continuum range{from, to, continuous(scale)};
        for (std::uint64_t i = 0; i < last; ++i)
            append(values, range.at(static_cast<double>(i) / static_cast<double>(last)));
        append(values, to);
        axis_.values = AxisValues::list(std::move(values));
    }

    void without_count(double from, double to, Scale scale) {
        const bool whole = axis_.info.type == FieldType::integer;
        if (scale == Scale::log2 || scale == Scale::log10) {
            by_factor(from, to, scale == Scale::log2 ? 2.0 : 10.0);
        } else if (whole && scale == Scale::linear) {
            by_step(from, to, 1.0);
        } else if (whole) {
            fail(node_, "integers on a scale need log2, log10 or a 'count'");
        } else {
            axis_.continuum = Continuum{from, to, continuous(scale)};
        }
    }

    void by_factor(double from, double to, double factor) {
        std::vector<double> values;
        // The end must not be lost to rounding errors in 0.1 · 10 · 10 ….
        const double last = to * (1.0 + 1e-12);
        double value = from;
        while (value <= last) {
            values.push_back(value);
            value *= factor;
        }
        axis_.values = AxisValues::list(std::move(values));
    }

    void append(std::vector<double>& values, double value) const {
        if (axis_.info.type == FieldType::integer) value = std::round(value);
        if (values.empty() || values.back() != value) values.push_back(value);
    }

    static Continuum::Scale continuous(Scale scale) {
        return scale == Scale::linear ? Continuum::Scale::linear : Continuum::Scale::logarithmic;
    }

    [[nodiscard]] const Node& key(const char* name) const {
        const Node* value = node_.find(name);
        return value == nullptr ? node_ : *value;
    }

    void fail(const Node& where, const std::string& message) {
        diagnostics_.error(where.location(), where.path(), message);
        failed_ = true;
    }

    static constexpr double most_values = 9007199254740992.0;
    static constexpr double most_listed = 1e6;

    const Node& node_;
    Axis& axis_;
    Diagnostics& diagnostics_;
    FieldInfo integer_ = info_of(FieldType::integer);
    bool failed_{false};
};

/// {permutations: …}
void read_orders(const Node& node, const Node& names, Axis& axis, Diagnostics& diagnostics) {
    const bool holds_names =
        axis.is_free() || axis.info.type == FieldType::choice || axis.info.type == FieldType::text;
    if (node.entries().size() > 1 || !holds_names)
        return diagnostics.error(names.location(), names.path(),
                                 holds_names ? "'permutations' cannot be combined with other keys"
                                             : axis.info.path + " holds no order of names");
    std::vector<std::string> orders = read_permutations(names, axis.info.choices, diagnostics);
    if (!orders.empty()) set_labels(std::move(orders), axis);
}

}  // namespace

void set_labels(std::vector<std::string> labels, Axis& axis) {
    if (axis.is_free()) axis.info.type = FieldType::text;
    std::vector<double> values;
    if (axis.info.type == FieldType::choice) {
        axis.labels = axis.info.choices;
        for (const std::string& label : labels)
            values.push_back(static_cast<double>(std::find(axis.labels.begin(), axis.labels.end(), label) -
                                                 axis.labels.begin()));
    } else {
        for (std::size_t i = 0; i < labels.size(); ++i) values.push_back(static_cast<double>(i));
        axis.labels = std::move(labels);
    }
    axis.values = AxisValues::list(std::move(values));
}

std::optional<std::string> read_name(const Node& node, const FieldInfo& info, Diagnostics& diagnostics) {
    if (!node.is_scalar() || node.text().empty()) {
        diagnostics.error(node.location(), node.path(), why_no_name(node, info));
        return std::nullopt;
    }
    const std::vector<std::string>& known = info.choices;
    const bool is_file = info.sets_others && config::is_path(node.text());
    if (!known.empty() && !is_file && std::find(known.begin(), known.end(), node.text()) == known.end()) {
        diagnostics.error(
            node.location(), node.path(),
            fmt::format("unknown value '{}'{}{}", node.text(), suggestion(node.text(), known),
                        info.sets_others ? "; a file of your own is named by its path: ./NAME.yaml" : ""));
        return std::nullopt;
    }
    return node.text();
}

std::string shared_unit(const std::vector<const Node*>& values, const FieldInfo& info) {
    if (info.type != FieldType::quantity || values.empty()) return {};
    std::string unit = config::written_unit(values.front()->text(), info.dimension);
    const auto has_it = [&](const Node* value) {
        return config::written_unit(value->text(), info.dimension) == unit;
    };
    return std::all_of(values.begin(), values.end(), has_it) ? unit : std::string{};
}

void read_values(const Node& node, Axis& axis, Diagnostics& diagnostics) {
    switch (node.kind()) {
        case Node::Kind::map:
            if (const Node* names = node.find("permutations"))
                return read_orders(node, *names, axis, diagnostics);
            RangeReader(node, axis, diagnostics).run();
            return;
        case Node::Kind::scalar:
            read_list({&node}, axis, diagnostics);
            return;
        case Node::Kind::null:
            diagnostics.error(node.location(), node.path(), "the axis has no values");
            return;
        case Node::Kind::sequence:
            break;
    }
    if (node.items().empty()) diagnostics.error(node.location(), node.path(), "the axis has no values");
    std::vector<const Node*> nodes;
    for (const Node& item : node.items()) nodes.push_back(&item);
    read_list(nodes, axis, diagnostics);
}

}  // namespace dse::space
