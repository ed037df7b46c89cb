#include "app/fill_parts.hpp"

#include <chrono>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "app/result_columns.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/shard_sink.hpp"
#include "dse/results/sweep_output.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {
namespace {

std::vector<std::size_t> rows_of(const results::Table& table, PartsOf which) {
    std::vector<std::size_t> rows(table.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (which == PartsOf::all) return rows;
    const std::vector<metrics::Objective> objectives = answered(table, table.schema.sweep.objectives);
    if (which == PartsOf::none || objectives.empty()) return {};
    return metrics::pareto_front(results::costs(table, objectives));
}

std::vector<space::Point> points_without_parts(const results::Table& table, PartsOf which) {
    const std::span<const double> compute_time = table.metric("compute_time");
    std::vector<space::Point> points;
    for (const std::size_t row : rows_of(table, which)) {
        if (table.status[row] != space::Status::ok || !std::isnan(compute_time[row])) continue;
        space::Point& point = points.emplace_back();
        point.id = table.point_id[row];
        for (const std::vector<double>& column : table.points) point.values.push_back(column[row]);
    }
    return points;
}

}  // namespace

std::uint64_t fill_parts(const study::Sweep& sweep, const std::filesystem::path& file, PartsOf rows,
                         const Logger& log) {
    const results::Table table = results::read_results(file);
    const results::ResultSchema schema = study::result_schema(sweep, table.schema.sweep.points);
    results::SweepOutput output{file, schema, results::this_run(), results::Start::resume, log};
    const std::vector<space::Point> points = points_without_parts(table, rows);
    if (points.empty()) return 0;
    results::ShardSink sink{output.shard_folder(), schema, results::this_run(), 0};
    eval::Evaluator evaluator{sweep, sim::Asked::For::parts};
    evaluator.stop_when(dist::stop_requested);
    space::Record record;
    for (const space::Point& point : points) {
        const auto begin = std::chrono::steady_clock::now();
        evaluator.evaluate(point, record);
        record.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        sink.write({&record, 1});
        output.heartbeat();
    }
    sink.flush();
    output.finish();
    return points.size();
}

}  // namespace dse::app
