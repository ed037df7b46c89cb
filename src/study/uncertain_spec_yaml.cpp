#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/study/uncertain_spec.hpp"

namespace dse::study {
namespace {

using config::Diagnostics;
using config::FieldInfo;
using config::FieldType;
using config::Node;
using Means = UncertainField::Means;

constexpr std::int64_t most_draws = 100'000;

/// Numbers of a distribution are either values of the field, or factors of it.
FieldInfo number_info(const UncertainField& uncertain) {
    FieldInfo info;
    if (uncertain.means == Means::value) {
        info.type = uncertain.field.type;
        info.dimension = uncertain.field.dimension;
    }
    return info;
}

void read_distribution(const Node& node, UncertainField& uncertain, Diagnostics& diagnostics) {
    const auto fail = [&](const Node& where, std::string why) {
        diagnostics.error(where.location(), where.path(), std::move(why));
    };
    if (!node.is_map() || node.entries().size() != 1)
        return fail(node,
                    "says how it is distributed: {normal: [mean, standard deviation]} or {uniform: [low, "
                    "high]}; {factor: {…}} where draws multiply its value");
    const Node::Entry& entry = node.entries().front();
    if (entry.key == "factor" && uncertain.means == Means::value) {
        uncertain.means = Means::factor;
        return read_distribution(entry.value, uncertain, diagnostics);
    }
    if (entry.key != "normal" && entry.key != "uniform")
        return fail(entry.value, fmt::format("unknown distribution '{}'{}", entry.key,
                                             suggestion(entry.key, {"normal", "uniform", "factor"})));
    uncertain.distribution =
        entry.key == "normal" ? UncertainField::Distribution::normal : UncertainField::Distribution::uniform;
    if (!entry.value.is_sequence() || entry.value.items().size() != 2)
        return fail(entry.value, "is a list of two numbers");
    const FieldInfo info = number_info(uncertain);
    const auto first = config::parse_value(entry.value.items()[0], info, diagnostics);
    const auto second = config::parse_value(entry.value.items()[1], info, diagnostics);
    if (!first || !second) return;
    uncertain.first = *first;
    uncertain.second = *second;
    if (entry.key == "normal" && !(*second >= 0.0)) fail(entry.value, "a standard deviation is not negative");
    if (entry.key == "uniform" && !(*second >= *first))
        fail(entry.value, "the upper end is below the lower one");
}

void read_draws(const Node& node, UncertainSpec& spec, Diagnostics& diagnostics) {
    FieldInfo info;
    info.type = FieldType::integer;
    const auto draws = config::parse_value(node, info, diagnostics);
    if (!draws) return;
    if (*draws < 2.0 || *draws > static_cast<double>(most_draws)) {
        diagnostics.error(node.location(), node.path(), fmt::format("draws are 2 to {}", most_draws));
    } else {
        spec.draws = static_cast<std::int64_t>(*draws);
    }
}

/// Draws that give no valid machine count as infeasible: statistics are those of a distribution without its
/// tail.
/// \param own  the field's value, which factors multiply
void warn_of_tail(const UncertainField& uncertain, double own, Diagnostics& diagnostics) {
    constexpr int parts = 1000;
    int outside = 0;
    for (int i = 0; i < parts; ++i) {
        const double drawn = uncertain.at((i + 0.5) / parts);
        const double value = uncertain.means == Means::factor ? drawn * own : drawn;
        outside += uncertain.field.range.contains(value) ? 0 : 1;
    }
    constexpr int worth_saying = parts / 100;
    if (outside < worth_saying) return;
    diagnostics.warning(
        uncertain.where, "uncertain." + uncertain.field.path,
        fmt::format("{:.0f} % of its draws are not {}, and count as infeasible: statistics are of the others",
                    100.0 * outside / parts, config::format_range(uncertain.field)));
}

}  // namespace

UncertainSpec read_uncertain(const Node& node, const config::FieldIndex& fields, Diagnostics& diagnostics) {
    UncertainSpec spec;
    if (!node.is_map()) {
        diagnostics.error(node.location(), node.path(), "'uncertain' is a map from fields to distributions");
        return spec;
    }
    for (const Node::Entry& entry : node.entries()) {
        if (entry.key == "draws") {
            read_draws(entry.value, spec, diagnostics);
            continue;
        }
        const config::FieldRef* field = fields.resolve(entry.key);
        const bool is_number = field != nullptr && (field->info().type == FieldType::number ||
                                                    field->info().type == FieldType::quantity);
        if (!is_number) {
            diagnostics.error(entry.location, entry.value.path(),
                              field == nullptr ? fields.why_unresolved(entry.key)
                                               : "is not a number that could have a distribution");
            continue;
        }
        UncertainField uncertain{field->info(), entry.location};
        const std::size_t before = diagnostics.error_count();
        read_distribution(entry.value, uncertain, diagnostics);
        if (diagnostics.error_count() == before && uncertain.field.range.is_limited())
            warn_of_tail(uncertain, field->read(), diagnostics);
        spec.fields.push_back(std::move(uncertain));
    }
    return spec;
}

}  // namespace dse::study
