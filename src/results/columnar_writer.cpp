#include "results/columnar_writer.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "dse/config/written_unit.hpp"
#include "results/coverage_table.hpp"
#include "results/durable_rename.hpp"
#include "results/finished_columns.hpp"
#include "results/finished_header.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/library.hpp"
#include "results/inline_reason.hpp"
#include "results/parallel.hpp"
#include "results/put_bytes.hpp"
#include "results/seal.hpp"

namespace dse::results {
namespace {

constexpr auto compressed = h5::Compression::shuffle_deflate;

h5::Handle copy(hid_t type) {
    return {H5Tcopy(type), H5Tclose};
}

/// For readers that do not know the units of sweeps: the name, and what one of it is in the SI unit.
void write_shown_unit(const h5::File& file, const Column& column, hid_t data) {
    const auto size = config::size_of_unit(column.shown_unit, config::dimension_of_unit(column.unit));
    if (column.shown_unit.empty() || !size) return;
    h5::write_attribute(file, data, "shown_units", column.shown_unit);
    h5::write_attribute(file, data, "shown_size", *size);
}

h5::Dataset create_point_column(const h5::File& file, const Column& column, std::uint64_t chunk) {
    h5::Dataset data =
        h5::Dataset::create(file, dataset_name(column), stored_type(file, column), chunk, compressed);
    h5::write_attribute(file, data.id(), "kind", name(column.kind));
    h5::write_attribute(file, data.id(), "role", name(column.role));
    if (column.kind == ColumnKind::real) h5::write_attribute(file, data.id(), "units", column.unit);
    if (column.kind == ColumnKind::label) h5::write_attribute(file, data.id(), "labels", column.labels);
    write_shown_unit(file, column, data.id());
    return data;
}

h5::Dataset create_metric_column(const h5::File& file, const MetricColumn& column, std::uint64_t chunk) {
    h5::Dataset data =
        h5::Dataset::create(file, dataset_name(column), copy(H5T_IEEE_F64LE), chunk, compressed);
    h5::write_attribute(file, data.id(), "units", column.unit);
    return data;
}

std::vector<std::string> axis_names(const ResultSchema& schema, ColumnRole role) {
    std::vector<std::string> names;
    for (const Column& column : schema.points) {
        if (column.role == role) names.push_back(column.name);
    }
    return names;
}

void put_reasons(const Table& rows, std::size_t reason_bytes, std::vector<std::byte>& to) {
    to.resize(rows.rows() * reason_bytes);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const std::string& reason = rows.reason[i];
        const std::string shown = is_cut(reason) ? cut_reason(reason) : reason;
        std::memcpy(to.data() + i * reason_bytes, shown.data(), std::min(shown.size(), reason_bytes));
    }
}

}  // namespace

ColumnarWriter::ColumnarWriter(std::filesystem::path path, Header header, std::size_t reason_bytes,
                               std::uint64_t most_rows)
    : path_{std::move(path)},
      unfinished_{path_.string() + ".unfinished"},
      header_{std::move(header)},
      reason_bytes_{std::max<std::size_t>(reason_bytes, 1)},
      chunk_{h5::chunk_for(most_rows, column_chunk)},
      file_{h5::File::create(unfinished_)} {
    write_header(file_, header_);
    h5::write_attribute(file_, file_.id(), "axes", axis_names(header_.schema, ColumnRole::axis));
    h5::write_attribute(file_, file_.id(), "derived", axis_names(header_.schema, ColumnRole::derived));
    for (const char* group : {"points", "metrics", "long_reasons"}) h5::create_group(file_, group);
    add_values();
    add_fixed();
    long_reason_ids_ =
        h5::Dataset::create(file_, long_reason_ids_dataset, copy(H5T_STD_U64LE), chunk_, compressed);
    // HDF5 keeps variable-length text apart from the dataset, out of reach of filters.
    long_reason_texts_ = h5::Dataset::create(file_, long_reason_texts_dataset, h5::text_type(file_),
                                             long_reason_chunk, h5::Compression::none);
}

ColumnarWriter::~ColumnarWriter() {
    std::error_code ignored;
    std::filesystem::remove(unfinished_, ignored);
}

void ColumnarWriter::add_values() {
    for (std::size_t c = 0; c < header_.schema.points.size(); ++c) {
        const Column& column = header_.schema.points[c];
        columns_.emplace_back(create_point_column(file_, column, chunk_), chunk_, stored_bytes(column),
                              compressed, [c, column](const Table& block, std::vector<std::byte>& to) {
                                  put_values(column, block.points[c], to);
                              });
    }
    for (std::size_t c = 0; c < header_.schema.metrics.size(); ++c) {
        columns_.emplace_back(
            create_metric_column(file_, header_.schema.metrics[c], chunk_), chunk_, sizeof(double),
            compressed,
            [c](const Table& block, std::vector<std::byte>& to) { put_bytes(block.metrics[c], to); });
    }
}

void ColumnarWriter::add_fixed() {
    const auto add = [&](const char* name, h5::Handle type, std::size_t bytes, h5::Compression compression,
                         ChunkedColumn::Fill fill) {
        columns_.emplace_back(h5::Dataset::create(file_, name, std::move(type), chunk_, compression), chunk_,
                              bytes, compression, std::move(fill));
    };
    using Bytes = std::vector<std::byte>;
    add(point_id_dataset, copy(H5T_STD_U64LE), sizeof(std::uint64_t), compressed,
        [](const Table& block, Bytes& to) { put_bytes(block.point_id, to); });
    add(status_dataset, status_type(file_), sizeof(space::Status), compressed,
        [](const Table& block, Bytes& to) { put_bytes(block.status, to); });
    add(reason_dataset, reason_type(file_, reason_bytes_), reason_bytes_, compressed,
        [this](const Table& block, Bytes& to) { put_reasons(block, reason_bytes_, to); });
    // Evaluation times are noise: compressing them takes long and saves little.
    add(wall_seconds_dataset, copy(H5T_IEEE_F64LE), sizeof(double), h5::Compression::checksum,
        [](const Table& block, Bytes& to) { put_bytes(block.wall_seconds, to); });
    h5::write_attribute(file_, columns_.back().data().id(), "units", std::string_view{"s"});
    add(rank_dataset, copy(H5T_STD_I32LE), sizeof(std::int32_t), compressed,
        [](const Table& block, Bytes& to) { put_bytes(block.rank, to); });
    add(host_dataset, copy(H5T_STD_U16LE), sizeof(std::uint16_t), compressed,
        [this](const Table&, Bytes& to) { put_bytes(block_hosts_, to); });
}

void ColumnarWriter::append(const Table& rows) {
    index_hosts(rows);
    in_parallel(columns_.size(), [&](std::size_t c) { columns_[c].encode(rows); });
    for (ChunkedColumn& column : columns_) column.write();
    append_long_reasons(rows);
}

void ColumnarWriter::index_hosts(const Table& rows) {
    block_hosts_.clear();
    for (const std::string& name : rows.host) {
        const auto [known, is_new] = host_indices_.emplace(name, static_cast<std::uint16_t>(hosts_.size()));
        if (is_new) hosts_.push_back(name);
        block_hosts_.push_back(known->second);
    }
}

void ColumnarWriter::append_long_reasons(const Table& rows) {
    std::vector<std::uint64_t> ids;
    std::vector<const char*> texts;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (!is_cut(rows.reason[i])) continue;
        ids.push_back(rows.point_id[i]);
        texts.push_back(rows.reason[i].c_str());
    }
    long_reason_ids_->append(ids.data(), ids.size(), H5T_NATIVE_UINT64);
    long_reason_texts_->append(texts.data(), texts.size(), h5::text_type(file_).id());
}

void ColumnarWriter::finish(const std::vector<Coverage>& coverage) {
    columns_.clear();
    long_reason_ids_.reset();
    long_reason_texts_.reset();
    h5::write_attribute(file_, file_.id(), hosts_attribute, hosts_);
    write_coverage(file_, coverage);
    file_.close();
    seal(unfinished_);
    durable_rename(unfinished_, path_);
}

}  // namespace dse::results
