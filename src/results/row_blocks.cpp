#include "results/row_blocks.hpp"

namespace dse::results {
namespace {

void append(Table& block, const Row& row, const std::vector<std::string>& hosts) {
    block.point_id.push_back(row.point_id);
    block.status.push_back(row.status);
    block.reason.emplace_back(row.reason);
    std::size_t value = 0;
    for (auto& column : block.points) column.push_back(row.values[value++]);
    for (auto& column : block.metrics) column.push_back(row.values[value++]);
    block.wall_seconds.push_back(row.wall_seconds);
    block.rank.push_back(row.rank);
    block.host.push_back(hosts[row.host]);
}

}  // namespace

Table empty_table(const Header& header) {
    Table table = empty_table(header.schema);
    table.provenance = header.provenance;
    table.unsealed = header.unsealed;
    return table;
}

bool RowBlocks::next(Table& block, std::size_t most) {
    block.clear();
    Row row;
    while (block.rows() < most && rows_.next(row)) append(block, row, rows_.hosts());
    return block.rows() > 0;
}

}  // namespace dse::results
