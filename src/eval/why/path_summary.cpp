#include "dse/eval/why/path_summary.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace dse::eval {
namespace {

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // work, name, region

Key key_of(const sim::Span& span) {
    return {static_cast<std::uint32_t>(span.work.index()), static_cast<std::uint32_t>(span.name.index()),
            static_cast<std::uint32_t>(span.region.index())};
}

PathRow row_of(const sim::Span& span, const graph::Graph& graph) {
    PathRow row;
    row.what = sim::describe(graph.works[span.work.index()]);
    row.name = graph::name_of(graph, span.name);
    if (span.phase == sim::Span::Phase::transfer) {
        row.where = "between stages";
        row.name = span.task.pass == graph::Pass::forward ? "activations" : "gradients of activations";
    } else {
        row.where = graph.regions[span.region.index()].name;
    }
    if (row.name.empty()) row.name = row.what;
    return row;
}

/// Merges works that only differ in size, which users see as one operator.
void merge_alike(std::vector<PathRow>& rows) {
    const auto text = [](const PathRow& row) { return std::tie(row.name, row.where, row.what); };
    std::sort(rows.begin(), rows.end(),
              [&](const PathRow& a, const PathRow& b) { return text(a) < text(b); });
    std::vector<PathRow> merged;
    for (PathRow& row : rows) {
        if (!merged.empty() && text(merged.back()) == text(row)) {
            merged.back().count += row.count;
            merged.back().seconds += row.seconds;
        } else {
            merged.push_back(std::move(row));
        }
    }
    rows = std::move(merged);
}

}  // namespace

std::vector<PathRow> summarize_path(const PlayedPoint& point, const Explanation& explanation) {
    std::map<Key, PathRow> by_key;
    for (const sim::PathStep& step : point.path()) {
        const double time = point.window().share(step.start, step.end);
        if (time == 0.0) continue;
        const sim::Span& span = point.dependencies().at(step.who);
        const auto [found, is_new] = by_key.try_emplace(key_of(span));
        PathRow& row = found->second;
        if (is_new) row = row_of(span, point.graph());
        row.count += 1.0 / point.steps();
        row.seconds += time * point.scale();
    }
    std::vector<PathRow> rows;
    for (auto& [key, row] : by_key) rows.push_back(std::move(row));
    merge_alike(rows);
    if (point.steps() == 1.0 && explanation.durations->barrier > 0.0) {
        const auto& work = point.graph().works[point.graph().barrier.index()];
        rows.push_back({"barrier", "end of the iteration", sim::describe(work), 1.0,
                        explanation.durations->barrier * point.unit()});
    }
    std::sort(rows.begin(), rows.end(), [](const PathRow& a, const PathRow& b) {
        return std::tie(b.seconds, a.name, a.where) < std::tie(a.seconds, b.name, b.where);
    });
    return rows;
}

double stage_changes(const PlayedPoint& point) {
    double changes = 0.0;
    const std::vector<sim::PathStep>& path = point.path();
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (path[i].start < point.window().from) continue;
        if (path[i].who.timeline != path[i - 1].who.timeline) changes += 1.0 / point.steps();
    }
    return changes;
}

}  // namespace dse::eval
