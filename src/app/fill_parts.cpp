#include "app/fill_parts.hpp"

#include <chrono>
#include <cmath>
#include <span>

#include "app/point_answers.hpp"
#include "dse/explore/registry.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/results/shard_sink.hpp"
#include "dse/results/sweep_output.hpp"
#include "dse/study/sweep_schema.hpp"

namespace dse::app {
namespace {

using Clock = std::chrono::steady_clock;

results::ResultSchema schema_of(const study::Sweep& sweep, const std::filesystem::path& file) {
    const results::ResultsReader reader{file, results::ResultsReader::Extent::finished};
    results::ResultSchema schema = study::result_schema(sweep, reader.columns().schema.sweep.points);
    if (explore::learns(sweep.space->search())) explore::add_goals(*sweep.space, schema);
    return schema;
}

/// Answers points as the run of the sweep did.
class Again {
  public:
    explicit Again(const std::shared_ptr<const study::Sweep>& sweep)
        : evaluate_{point_answers(sweep, sim::Asked::For::parts)} {}

    void evaluate(const space::Point& point, space::Record& record) {
        const Clock::time_point begin = Clock::now();
        record = {};
        record.point = point;
        record.status = space::Status::ok;
        evaluate_(point, {}, record);
        record.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }

  private:
    explore::Evaluate evaluate_;
};

}  // namespace

std::vector<space::Point> points_without_parts(const results::Table& rows) {
    const std::span<const double> compute_time = rows.metric("compute_time");
    std::vector<space::Point> points;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        if (rows.status[row] != space::Status::ok || !std::isnan(compute_time[row])) continue;
        space::Point& point = points.emplace_back();
        point.id = rows.point_id[row];
        for (const std::vector<double>& column : rows.points) point.values.push_back(column[row]);
    }
    return points;
}

void fill_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::filesystem::path& file,
                const std::vector<space::Point>& points, const Logger& log) {
    const results::ResultSchema schema = schema_of(*sweep, file);
    results::SweepOutput output{file, schema, results::this_run(), results::Start::resume, log};
    if (points.empty()) return;
    results::ShardSink sink{output.shard_folder(), schema, results::this_run(), 0};
    Again again{sweep};
    space::Record record;
    for (const space::Point& point : points) {
        again.evaluate(point, record);
        sink.write({&record, 1});
        output.heartbeat();
    }
    sink.flush();
    output.finish();
}

}  // namespace dse::app
