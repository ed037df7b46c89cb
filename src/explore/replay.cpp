#include "explore/replay.hpp"

#include "dse/metrics/metrics.hpp"
#include "dse/results/hdf5_reader.hpp"

namespace dse::explore {
namespace {

using Member = double metrics::Metrics::*;

std::vector<Member> members_of(const results::Table& table) {
    std::vector<Member> members;
    for (const results::MetricColumn& column : table.schema.metrics)
        members.push_back(metrics::metric_field(column.name).member);
    return members;
}

space::Record record_of(const results::Table& table, const std::vector<Member>& members, std::size_t row) {
    space::Record record;
    record.point.id = table.point_id[row];
    for (const auto& column : table.points) record.point.values.push_back(column[row]);
    record.status = table.status[row];
    record.reason = table.reason[row];
    for (std::size_t m = 0; m < table.metrics.size(); ++m) {
        record.metrics.*members[m] = table.metrics[m][row];
    }
    record.wall_seconds = table.wall_seconds[row];
    record.rank = table.rank[row];
    return record;
}

}  // namespace

Replay read_replay(const std::filesystem::path& file, const results::IntervalSet& settled) {
    const results::Table table = results::read_so_far(file);
    const std::vector<Member> members = members_of(table);
    Replay replay;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::uint64_t id = table.point_id[row];
        if (settled.contains(id)) replay.emplace_hint(replay.end(), id, record_of(table, members, row));
    }
    return replay;
}

}  // namespace dse::explore
