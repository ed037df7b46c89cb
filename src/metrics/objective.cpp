#include "dse/metrics/objective.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::metrics {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Direction parse_direction(std::string_view text) {
    for (const Direction direction : {Direction::minimize, Direction::maximize}) {
        if (text == name(direction)) return direction;
    }
    throw InputError(fmt::format("unknown direction '{}' of an objective{}", text,
                                 suggestion(text, {"minimize", "maximize"})));
}

std::string metric_named(std::string_view name, std::span<const std::string> also) {
    if (std::find(also.begin(), also.end(), name) != also.end()) return std::string{name};
    try {
        return std::string{metric_field(name).name};
    } catch (const InputError&) {
        if (also.empty()) throw;
        std::vector<std::string> known{also.begin(), also.end()};
        for (const MetricField& field : metric_fields())
            if (std::find(known.begin(), known.end(), field.name) == known.end())
                known.emplace_back(field.name);
        throw InputError(fmt::format("unknown metric '{}'{}", name, suggestion(name, known)));
    }
}

}  // namespace

std::string_view name(Direction direction) {
    return direction == Direction::minimize ? "minimize" : "maximize";
}

Objective parse_objective(std::string_view text, std::span<const std::string> also) {
    const std::size_t colon = text.find(':');
    Objective objective;
    objective.metric = metric_named(trimmed(text.substr(0, colon)), also);
    if (colon != std::string_view::npos)
        objective.direction = parse_direction(trimmed(text.substr(colon + 1)));
    return objective;
}

std::vector<Objective> parse_objectives(std::string_view text, std::span<const std::string> also) {
    if (trimmed(text).empty()) throw InputError("no objective is named");
    std::vector<Objective> objectives;
    for (;;) {
        const std::size_t comma = text.find(',');
        Objective next = parse_objective(text.substr(0, comma), also);
        const auto same = [&](const Objective& other) { return other.metric == next.metric; };
        if (std::any_of(objectives.begin(), objectives.end(), same)) {
            throw InputError(fmt::format("objective '{}' is named twice", next.metric));
        }
        objectives.push_back(std::move(next));
        if (comma == std::string_view::npos) return objectives;
        text.remove_prefix(comma + 1);
    }
}

std::string to_string(const Objective& objective) {
    return fmt::format("{}: {}", objective.metric, name(objective.direction));
}

std::vector<double> costs(const Metrics& metrics, std::span<const Objective> objectives) {
    std::vector<double> result;
    result.reserve(objectives.size());
    for (const Objective& objective : objectives) {
        const double value = metrics.*metric_field(objective.metric).member;
        result.push_back(objective.direction == Direction::minimize ? value : -value);
    }
    return result;
}

}  // namespace dse::metrics
