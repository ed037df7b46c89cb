#include "sweep_handle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/explained_point.hpp"
#include "app/sweep_answers.hpp"
#include "dse/base/error.hpp"
#include "dse/base/human_count.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/quantity.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/study/setting.hpp"

namespace dse::python {
namespace {

/// By its name, or by an end of its dotted name that no other axis has: "scale_out.bandwidth".
std::size_t axis_of(const study::Sweep& sweep, const std::string& name) {
    const std::optional<std::size_t> slot = sweep.space->slot(name);
    const std::vector<space::Axis>& axes = sweep.space->axes();
    if (slot && *slot < axes.size()) return *slot;
    std::vector<std::size_t> ending;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis].name.ends_with("." + name)) ending.push_back(axis);
    }
    if (ending.size() == 1) return ending.front();
    std::vector<std::string> names;
    for (const space::Axis& axis : axes) names.push_back(axis.name);
    throw InputError(fmt::format("{}: has no axis '{}'{}", sweep.file, name, suggestion(name, names)));
}

/// Nothing for a number where values have names: it would be the index of one.
std::optional<double> number_of(const space::Axis& axis, const Value& value) {
    if (const double* number = std::get_if<double>(&value))
        return axis.labels.empty() ? std::optional{*number} : std::nullopt;
    const std::string& text = std::get<std::string>(value);
    const auto label = std::find(axis.labels.begin(), axis.labels.end(), text);
    if (label != axis.labels.end()) return static_cast<double>(label - axis.labels.begin());
    if (!axis.labels.empty()) return std::nullopt;
    std::string error;
    std::string_view rest;
    const std::optional<double> number = config::parse_number(text, rest, error);
    if (number && rest.empty() && config::unit_of(axis.info.dimension) == "1") return number;
    return config::parse_quantity(text, axis.info.dimension, error);
}

/// The value of an axis that a number means, which may have gone through 32 bits, as in a column of a table:
/// the nearest one, if it is that near, of integers the same; nothing if there is none.
std::optional<double> meant(const space::Axis& axis, double number) {
    if (!std::isfinite(number)) return std::nullopt;
    if (axis.continuum) {
        const bool is_inside = number >= axis.continuum->low && number <= axis.continuum->high;
        return is_inside ? std::optional{number} : std::nullopt;
    }
    const std::uint64_t count = axis.values.count();
    const auto distance = [&](std::uint64_t i) { return std::abs(axis.values[i] - number); };
    std::uint64_t nearest = 0;
    if (axis.values.is_sequence() && count > 1) {
        const double place = std::round((number - axis.values[0]) / (axis.values[1] - axis.values[0]));
        nearest = static_cast<std::uint64_t>(std::clamp(place, 0.0, static_cast<double>(count - 1)));
    } else {
        for (std::uint64_t i = 1; i < count; ++i)
            if (distance(i) < distance(nearest)) nearest = i;
    }
    const bool is_whole = axis.info.type == config::FieldType::integer;
    const double rounding = is_whole ? 0.0 : std::numeric_limits<float>::epsilon();
    if (count == 0 || distance(nearest) > rounding * std::abs(number)) return std::nullopt;
    return axis.values[nearest];
}

std::string text_of(const space::Axis& axis, const Value& value) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr) return "'" + std::get<std::string>(value) + "'";
    const bool has_unit = axis.info.type == config::FieldType::quantity;
    return has_unit ? axis.format(*number) : fmt::format("{}", *number);  // every digit: 8.5 is not 8
}

double value_of(const study::Sweep& sweep, const space::Axis& axis, const Value& value) {
    const std::optional<double> number = number_of(axis, value);
    if (number) {
        if (const std::optional<double> value_of_axis = meant(axis, *number)) return *value_of_axis;
    }
    constexpr std::uint64_t most_shown = 20;
    std::vector<std::string> known;
    for (std::uint64_t i = 0; i < std::min(axis.values.count(), most_shown); ++i)
        known.push_back(axis.format(axis.values[i]));
    throw InputError(fmt::format("{}: axis '{}' has no value {} (it has {}{})", sweep.file, axis.name,
                                 text_of(axis, value), fmt::join(known, ", "),
                                 axis.values.count() > most_shown ? ", …" : ""));
}

/// Combinations of values that a search for a point looks at, some seconds long.
constexpr std::uint64_t most_visits = 10'000'000;

/// Gives the open axes their first values that make a point, the last axis fastest.
class Completion {
  public:
    Completion(const space::Space& space, const std::vector<bool>& given, std::vector<double>& values)
        : space_{space}, given_{given}, values_{values} {}

    /// \return false if there is no such point, or none among the first `most_visits` combinations
    bool run() { return settle(0) && walk(0); }
    [[nodiscard]] bool gave_up() const { return visits_ == 0; }

  private:
    bool walk(std::size_t axis) {
        if (axis == given_.size()) return true;
        if (given_[axis]) return settle(axis + 1) && walk(axis + 1);
        const space::Axis& own = space_.axes()[axis];
        const std::uint64_t count = own.continuum ? 1 : own.values.count();
        for (std::uint64_t i = 0; i < count && visits_ > 0; ++i) {
            --visits_;
            values_[axis] = own.continuum ? own.continuum->low : own.values[i];
            if (settle(axis + 1) && walk(axis + 1)) return true;
        }
        return false;
    }

    bool settle(std::size_t depth) {
        const auto steps = space_.steps_at(depth);
        return std::all_of(steps.begin(), steps.end(),
                           [&](const space::Step& step) { return space_.perform(step, values_); });
    }

    const space::Space& space_;
    const std::vector<bool>& given_;
    std::vector<double>& values_;
    std::uint64_t visits_{most_visits};
};

std::shared_ptr<const study::Sweep> loaded(const std::string& file,
                                           const std::vector<std::string>& settings) {
    std::vector<study::Setting> parsed;
    for (const std::string& text : settings) parsed.push_back(study::parse_setting(text));
    return std::make_shared<const study::Sweep>(eval::load_sweep(file, parsed));
}

}  // namespace

SweepHandle::SweepHandle(const std::string& file, const std::vector<std::string>& settings)
    : sweep_{loaded(file, settings)},
      answers_{app::answers_of(sweep_, sim::Asked::For::time)},
      metrics_{app::row_schema(*sweep_, 1).metrics},
      columns_{metrics_} {}

space::Point SweepHandle::find(const std::vector<std::pair<std::string, Value>>& settings) const {
    const space::Space& space = *sweep_->space;
    space::Point point;
    point.values.resize(space.width());
    std::vector<bool> given(space.axes().size(), false);
    for (const auto& [name, value] : settings) {
        const std::size_t axis = axis_of(*sweep_, name);
        if (given[axis])
            throw InputError(
                fmt::format("{}: axis '{}' is given twice", sweep_->file, space.axes()[axis].name));
        point.values[axis] = value_of(*sweep_, space.axes()[axis], value);
        given[axis] = true;
    }
    Completion completion{space, given, point.values};
    if (completion.run()) return point;
    if (completion.gave_up())
        throw InputError(
            fmt::format("{}: no point of the space was found with these values, among {} combinations of "
                        "the others: name more axes",
                        sweep_->file, human_count(most_visits)));
    if (settings.empty()) {
        throw InputError(fmt::format(
            "{}: no point is in the space ('dse plan' says which requirement drops them)", sweep_->file));
    }
    std::vector<std::string> wanted;
    for (const auto& [name, value] : settings)
        wanted.push_back(fmt::format("{}={}", name, text_of(space.axes()[axis_of(*sweep_, name)], value)));
    throw InputError(
        fmt::format("{}: no point of the space has these values: {}", sweep_->file, fmt::join(wanted, " ")));
}

std::pair<std::string_view, std::string_view> SweepHandle::evaluate(const space::Point& point,
                                                                    std::vector<double>& values) {
    record_.point = point;
    record_.status = space::Status::ok;
    record_.reason.clear();
    record_.metrics = {};
    record_.more.clear();
    try {
        answers_(point, explore::Fidelity{}, record_);
    } catch (const ModelError& error) {
        record_.status = space::Status::outside_validity;
        record_.reason = error.what();
    }
    record_.more.resize(columns_.more().size(), metrics::not_a_number);
    values.clear();
    columns_.append(record_, values);
    return {space::name(record_.status), record_.reason};
}

std::string SweepHandle::explain(const space::Point& point, bool what_if) const {
    if (sweep_->space->exec())
        throw InputError(fmt::format("{}: its points are evaluated by a program (exec), not simulated by dse",
                                     sweep_->file));
    const app::WhatIf asked = what_if ? app::WhatIf::evaluated : app::WhatIf::left_out;
    return app::ExplainedPoint{*sweep_, point, asked}.json().dump();
}

}  // namespace dse::python
