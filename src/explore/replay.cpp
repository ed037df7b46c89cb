#include "explore/replay.hpp"

#include "dse/results/hdf5_reader.hpp"
#include "dse/results/record_columns.hpp"

namespace dse::explore {
namespace {

space::Record record_of(const results::Table& table, const results::RecordColumns& columns, std::size_t row) {
    space::Record record;
    record.point.id = table.point_id[row];
    for (const auto& column : table.points) record.point.values.push_back(column[row]);
    record.status = table.status[row];
    record.reason = table.reason[row];
    columns.assign(table.metrics, row, record);
    record.wall_seconds = table.wall_seconds[row];
    record.rank = table.rank[row];
    return record;
}

}  // namespace

Replay read_replay(const std::filesystem::path& file, const results::IntervalSet& settled) {
    const results::Table table = results::read_so_far(file);
    const results::RecordColumns columns{table.schema.metrics};
    Replay replay;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::uint64_t id = table.point_id[row];
        if (settled.contains(id)) replay.emplace_hint(replay.end(), id, record_of(table, columns, row));
    }
    return replay;
}

}  // namespace dse::explore
