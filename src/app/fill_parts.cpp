#include "app/fill_parts.hpp"

#include <chrono>
#include <cmath>
#include <optional>
#include <span>

#include "app/row_conditions.hpp"
#include "app/sweep_answers.hpp"
#include "dse/base/error.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/proof.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/results/shard_sink.hpp"

namespace dse::app {
namespace {

using Clock = std::chrono::steady_clock;

/// The statuses of rows after the sweep's conditions; unfiltered if these cannot be applied to rows, which
/// the summary of the run reports.
std::span<const space::Status> feasible(RowFilter& filter, const results::Table& block) {
    try {
        return filter.statuses(block);
    } catch (const InputError&) {
        return block.status;
    }
}

results::Table front_of(results::SweepOutput& output) {
    const results::Table columns = results::empty_table(output.schema());
    results::FrontRows front{columns, columns.schema.sweep.objectives};
    RowFilter filter;
    output.each([&](const results::Table& block) { front.add(block, feasible(filter, block)); });
    return front.rows();
}

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

bool can_fill_parts(const study::Sweep& sweep) {
    return !sweep.space->exec() && sweep.space->search().method != "screen";
}

void add_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::vector<space::Point>& points,
               results::SweepOutput& output) {
    if (points.empty() || !can_fill_parts(*sweep)) return;
    results::ShardSink sink{output.shard_folder(), output.schema(), results::this_run(), 0};
    const explore::Evaluate answer = answers_of(sweep, sim::Asked::For::path);
    space::Record record;
    for (const space::Point& point : points) {
        const Clock::time_point begin = Clock::now();
        answer(point, {}, record);
        record.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        sink.write({&record, 1});
        output.heartbeat();
    }
    sink.flush();
}

void add_parts_of_front(const std::shared_ptr<const study::Sweep>& sweep, results::SweepOutput& output) {
    add_parts(sweep, points_without_parts(front_of(output)), output);
}

void fill_parts(const std::shared_ptr<const study::Sweep>& sweep, const std::filesystem::path& file,
                const std::vector<space::Point>& points, const Logger& log) {
    if (!can_fill_parts(*sweep))
        throw InputError("rows of a program (exec) or of method screen have no parts");
    const std::uint64_t size =
        results::ResultsReader{file, results::ResultsReader::Extent::finished}.columns().schema.sweep.points;
    results::SweepOutput output{file, row_schema(*sweep, size), results::this_run(), results::Start::resume,
                                log};
    if (points.empty()) return;
    const std::optional<results::Proof> proof = results::read_proof(file);
    add_parts(sweep, points, output);
    output.finish();
    if (proof) results::write_proof(file, *proof);
}

}  // namespace dse::app
