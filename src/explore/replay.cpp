#include "explore/replay.hpp"

#include "dse/metrics/metrics.hpp"
#include "dse/results/hdf5_reader.hpp"

namespace dse::explore {
namespace {

space::Record record_of(const results::Table& table, std::size_t row) {
    space::Record record;
    record.point.id = table.point_id[row];
    for (const auto& column : table.points) record.point.values.push_back(column[row]);
    record.status = table.status[row];
    record.reason = table.reason[row];
    for (std::size_t m = 0; m < table.metrics.size(); ++m) {
        record.metrics.*metrics::metric_field(table.schema.metrics[m].name).member = table.metrics[m][row];
    }
    record.wall_seconds = table.wall_seconds[row];
    record.rank = table.rank[row];
    return record;
}

}  // namespace

Replay read_replay(const std::filesystem::path& file, const results::IntervalSet& settled) {
    const results::Table table = results::read_so_far(file);
    Replay replay;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::uint64_t id = table.point_id[row];
        if (settled.contains(id)) replay.emplace_hint(replay.end(), id, record_of(table, row));
    }
    return replay;
}

}  // namespace dse::explore
