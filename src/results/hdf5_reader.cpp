#include "dse/results/hdf5_reader.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/row_source.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

/// Collects rows of sources into columns.
class TableBuilder {
  public:
    explicit TableBuilder(const Header& header) : layout_{header.schema} {
        table_.schema = header.schema;
        table_.provenance = header.provenance;
        table_.points.resize(header.schema.points.size());
        table_.metrics.resize(header.schema.metrics.size());
    }

    void add(const RowSource& source) {
        for_each_valid_row(source, [&](std::uint64_t index, const RowView& row) {
            table_.point_id.push_back(row.point_id());
            table_.status.push_back(row.status());
            table_.reason.push_back(row.reason_is_cut() ? *source.long_reason(row.point_id())
                                                        : std::string{row.inline_reason()});
            std::size_t value = 0;
            for (auto& column : table_.points) column.push_back(row.value(value++));
            for (auto& column : table_.metrics) column.push_back(row.value(value++));
            table_.wall_seconds.push_back(row.wall_seconds());
            table_.rank.push_back(row.rank());
            table_.host.push_back(source.hosts()[source.host(index)]);
        });
    }

    Table take() { return std::move(table_); }

  private:
    RowLayout layout_;
    Table table_;
};

template <class T>
void permute(std::vector<T>& column, const std::vector<std::size_t>& order) {
    std::vector<T> result;
    result.reserve(order.size());
    for (const std::size_t row : order) result.push_back(std::move(column[row]));
    column = std::move(result);
}

/// Ascending by point id, the first of equal ones kept.
void sort_by_point(Table& table) {
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto id = [&](std::size_t row) { return table.point_id[row]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id(a) < id(b); });
    order.erase(
        std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id(a) == id(b); }),
        order.end());
    for (auto& column : table.points) permute(column, order);
    for (auto& column : table.metrics) permute(column, order);
    permute(table.status, order);
    permute(table.reason, order);
    permute(table.wall_seconds, order);
    permute(table.rank, order);
    permute(table.host, order);
    permute(table.point_id, order);
}

std::vector<std::unique_ptr<RowSource>> open_what_is_there(const fs::path& file) {
    std::vector<std::unique_ptr<RowSource>> sources;
    if (fs::exists(file)) sources.push_back(open_finished(file));
    for (const fs::path& shard : shards_in(shard_folder(file))) {
        try {
            sources.push_back(open_shard(shard));
        } catch (const InputError&) {
            // Being created at this moment, or damaged: the sweep itself says so when it goes on.
            continue;
        }
    }
    return sources;
}

}  // namespace

Table read_results(const fs::path& file) {
    const auto source = open_finished(file);
    TableBuilder builder{source->header()};
    builder.add(*source);
    return builder.take();
}

Table read_so_far(const fs::path& file) {
    const auto sources = open_what_is_there(file);
    if (sources.empty()) {
        throw InputError(
            fmt::format("cannot open '{}': no such file, and no sweep that writes it", file.string()));
    }
    TableBuilder builder{sources.front()->header()};
    for (const auto& source : sources) {
        if (differences(source->header().schema, sources.front()->header().schema).empty())
            builder.add(*source);
    }
    Table table = builder.take();
    sort_by_point(table);
    return table;
}

}  // namespace dse::results
