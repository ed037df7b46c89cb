#include "app/advice_report.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/point_report.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

using eval::Stair;

/// A stair compared with the layout before it.
struct Seen {
    const Stair* stair;
    const space::Point* before;
    double time;         ///< s, as fitted
    double saves;        ///< s
    double memory;       ///< additional B; NaN if the layout before is predicted not to fit
    double probability;  ///< probability that it saves time; NaN if no errors are known
};

std::vector<Seen> seen_stairs(const Advice& advice, const space::Point& own) {
    std::vector<Seen> all;
    const metrics::Metrics* before = &advice.staircase.from;
    const space::Point* point = &own;
    double time = advice.measured;
    for (const Stair& stair : advice.staircase.stairs) {
        const double reached = stair.metrics.iteration_time * advice.step.rest;
        all.push_back({&stair, point, reached, time - reached,
                       stair.metrics.memory_peak - before->memory_peak,
                       eval::probability_faster(*before, stair.metrics, advice.correlation)});
        before = &stair.metrics;
        point = &stair.point;
        time = reached;
    }
    return all;
}

Json layout_json(const space::Space& space, const space::Point& point) {
    Json layout = Json::object();
    for (std::size_t slot = 0; slot < space.width(); ++slot)
        layout[space.slot_name(slot)] = value_json(space, slot, point.values[slot]);
    return layout;
}

Json stair_json(const Seen& seen, const space::Space& space) {
    Json changes = Json::array();
    for (const std::size_t axis : seen.stair->axes) {
        changes.push_back({{"axis", space.slot_name(axis)},
                           {"from", value_json(space, axis, seen.before->values[axis])},
                           {"to", value_json(space, axis, seen.stair->point.values[axis])}});
    }
    return Json{{"changes", changes},           {"iteration_time", seen.time},
                {"saves", seen.saves},          {"memory_peak", seen.stair->metrics.memory_peak},
                {"memory_change", seen.memory}, {"probability", seen.probability}};
}

std::string changes_text(const Seen& seen, const space::Space& space) {
    std::vector<std::string> changes;
    for (const std::size_t axis : seen.stair->axes) {
        changes.push_back(fmt::format("{} {} -> {}", space.slot_name(axis),
                                      space.format(axis, seen.before->values[axis]),
                                      space.format(axis, seen.stair->point.values[axis])));
    }
    return fmt::format("{}", fmt::join(changes, ", "));
}

std::string layout_text(const space::Space& space, const space::Point& point) {
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
        values.push_back(fmt::format("{}={}", space.slot_name(axis), space.format(axis, point.values[axis])));
    return fmt::format("{}", fmt::join(values, " "));
}

/// How many times a run is as far from the middle of its 80 % interval as the interval's ends are; 0 if no
/// errors are known.
double in_error_bars(const Advice& advice) {
    const eval::OwnStep& step = advice.step;
    if (!(step.high > step.low)) return 0.0;
    const double middle = std::sqrt(step.low * step.high);
    return std::abs(std::log(advice.measured / middle)) / std::log(step.high / middle);
}

/// Gains would be predicted of another run than the described one.
std::string doubt_text(const Advice& advice) {
    const double rest = advice.step.rest;
    const char* const check =
        "check the measured time, and the description of the run (model, batch, sequence, devices, stack)";
    if (rest > 2.0 || rest < 0.5) return fmt::format("\n  no error of a prediction is so large: {}", check);
    // For normal errors: 99 runs of 100 are within twice the bars that hold 80.
    if (in_error_bars(advice) <= 2.0) return "";
    if (advice.measured < advice.step.predicted)
        return fmt::format("\n  99 of 100 runs are not so much faster than predicted: {}", check);
    return fmt::format(
        "\n  99 of 100 runs are not so much slower than predicted: before the layout, look for what takes "
        "{}, such as\n  another batch, recomputation or stack than stated, no compilation, waits for data or "
        "for slow devices",
        human_seconds(advice.measured - advice.step.predicted));
}

std::string fit_text(const Advice& advice) {
    const eval::OwnStep& step = advice.step;
    std::string text = fmt::format("measured {}, predicted {}", human_seconds(advice.measured),
                                   human_seconds(step.predicted));
    if (!std::isnan(step.low))
        text += fmt::format(" (80 % of measurements: {} to {})", human_seconds(step.low),
                            human_seconds(step.high));
    if (step.rate != step.rate_before)
        text += fmt::format("\nfitted: matmul.in_training {:.3g}, was {:.3g}", step.rate, step.rate_before);
    if (std::abs(step.rest - 1.0) > 1e-4)
        text += fmt::format("\nremaining difference: all times x {:#.4g}", step.rest);
    return text + doubt_text(advice) + "\n";
}

std::string memory_text(double change) {
    if (std::isnan(change)) return "";
    return fmt::format("{}{}", change < 0.0 ? "-" : "+", human_bytes(std::abs(change)));
}

std::string stairs_text(const std::vector<Seen>& stairs, const space::Space& space) {
    TextTable table;
    table.add_column("change", TextTable::Align::left);
    for (const char* heading : {"step", "saves", "memory", "sure"}) table.add_column(heading);
    for (const Seen& seen : stairs) {
        table.add_row(
            {changes_text(seen, space), human_seconds(seen.time), human_seconds(seen.saves),
             memory_text(seen.memory),
             std::isnan(seen.probability) ? "" : fmt::format("{:.0f} %", 100.0 * seen.probability)});
    }
    return table.text(2);
}

}  // namespace

Json advice_json(const Advice& advice, const space::Space& space, const space::Point& own) {
    const eval::OwnStep& step = advice.step;
    Json json = json_object();
    json["measured"] = advice.measured;
    json["predicted"] = {{"iteration_time", step.predicted}, {"low", step.low}, {"high", step.high}};
    json["fitted"] = {{"field", "system.cluster.device.matmul.in_training"},
                      {"before", step.rate_before},
                      {"after", step.rate},
                      {"factor", step.rest}};
    json["layout"] = layout_json(space, own);
    json["memory_peak"] = advice.staircase.from.memory_peak;
    json["points"] = advice.staircase.points;
    json["feasible"] = advice.staircase.feasible;
    json["complete"] = advice.staircase.complete;
    json["rows"] = Json::array();
    for (const Seen& seen : seen_stairs(advice, own)) json["rows"].push_back(stair_json(seen, space));
    const space::Point& best = advice.staircase.stairs.empty() ? own : advice.staircase.stairs.back().point;
    json["best"] = layout_json(space, best);
    return json;
}

std::string advice_text(const Advice& advice, const space::Space& space, const space::Point& own) {
    std::string text = fit_text(advice);
    text += fmt::format("your layout: {}\n", layout_text(space, own));
    if (std::isnan(advice.staircase.from.memory_peak))
        text +=
            "  it is predicted not to fit; memory changes are relative to the first layout that "
            "does\n";
    const eval::Staircase& stairs = advice.staircase;
    const std::string among = fmt::format("{} layouts that fit, of {}{}", stairs.feasible, stairs.points,
                                          stairs.complete ? "" : " tried");
    if (stairs.stairs.empty()) return text + fmt::format("none of {} is faster\n", among);
    const auto seen = seen_stairs(advice, own);
    text += fmt::format("the fastest of {}: {}, {:.0f} % of it\n\n{}", among, human_seconds(seen.back().time),
                        100.0 * seen.back().time / advice.measured, stairs_text(seen, space));
    return text +
           "\nsure: probability that the change saves time, from the error bars of ratios "
           "(docs/accuracy.md)\n";
}

}  // namespace dse::app
