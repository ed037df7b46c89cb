#include "dse/space/identity.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/space/registry.hpp"
#include "dse/space/sampler.hpp"

namespace dse::space {

namespace {

/// A number with enough digits to be unique, a label by its name.
std::string exact_text(const Space& space, std::size_t slot, double value) {
    const config::FieldType type = space.slot_info(slot).type;
    const bool named = type == config::FieldType::choice || type == config::FieldType::text;
    return named ? space.format(slot, value) : fmt::format("{}", value);
}

/// A long regular axis is described by its range.
std::string values_text(const Space& space, std::size_t slot) {
    const Axis& axis = space.axes()[slot];
    if (axis.continuum) {
        const char* scale = axis.continuum->scale == Continuum::Scale::linear ? "linear" : "log";
        return fmt::format("{} to {} ({})", axis.continuum->low, axis.continuum->high, scale);
    }
    const std::uint64_t count = axis.values.count();
    if (axis.values.is_sequence() && count > 2) {
        return fmt::format("{}, {}, … {} ({} values)", axis.values[0], axis.values[1], axis.values[count - 1],
                           count);
    }
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ", ") + exact_text(space, slot, axis.values[i]);
    }
    return text;
}

void add_exec(const Space& space, std::vector<std::pair<std::string, std::string>>& entries) {
    if (!space.exec()) return;
    const ExecSpec& exec = *space.exec();
    for (std::size_t i = 0; i < exec.command.size(); ++i)
        entries.emplace_back(fmt::format("exec.command.{}", i), exec.command[i]);
    for (std::size_t i = 0; i < exec.files.size(); ++i)
        entries.emplace_back(fmt::format("exec.files.{}", i), exec.files[i]);
    entries.emplace_back("exec.input", exec.input == ExecInput::lines ? "lines" : "arguments");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> identity(const Space& space) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t i = 0; i < space.axes().size(); ++i) {
        entries.emplace_back(fmt::format("axes.{}.{}", i, space.axes()[i].name), values_text(space, i));
    }
    for (const Derived& derived : space.derived()) {
        entries.emplace_back("derive." + derived.name, derived.expression.text());
    }
    for (std::size_t i = 0; i < space.requirements().size(); ++i) {
        entries.emplace_back(fmt::format("require.{}", i), space.requirements()[i].expression.text());
    }
    for (const Condition& condition : space.conditions()) {
        entries.emplace_back("when." + space.axes()[condition.axis].name, condition.expression.text());
    }
    for (const DerivedMetric& metric : space.metrics())
        entries.emplace_back("metrics." + metric.name, metric.expression.text());
    add_exec(space, entries);
    const SearchSpec& search = space.search();
    entries.emplace_back("search.method", search.method);
    if (!walks_grid(search.method)) {
        entries.emplace_back("search.budget", std::to_string(search.budget));
        entries.emplace_back("search.seed", std::to_string(search.seed));
        // Programs' answers (exec) have no other entry by which those of an older dse could be told apart.
        if (draws_each_once(space)) entries.emplace_back("search.draws", "each point once");
    }
    return entries;
}

Digest digest(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string text;
    for (const auto& [key, value] : entries) {
        // Lengths make the encoding unambiguous: ("a", "bc") differs from ("ab", "c").
        text += fmt::format("{}:{}={}:{};", key.size(), key, value.size(), value);
    }
    return dse::digest(std::string_view(text));
}

Digest digest(const Space& space, const Point& point) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t slot = 0; slot < space.width(); ++slot) {
        const std::string& path = space.slot_info(slot).path;
        entries.emplace_back(path.empty() ? space.slot_name(slot) : path,
                             exact_text(space, slot, point.values[slot]));
    }
    std::sort(entries.begin(), entries.end());
    return digest(entries);
}

}  // namespace dse::space
