#include "results/columnar_writer.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "results/coverage_table.hpp"
#include "results/durable_rename.hpp"
#include "results/finished_columns.hpp"
#include "results/finished_header.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/library.hpp"
#include "results/inline_reason.hpp"
#include "results/seal.hpp"

namespace dse::results {
namespace {

constexpr auto compressed = h5::Compression::shuffle_deflate;

h5::Handle copy(hid_t type) {
    return {H5Tcopy(type), H5Tclose};
}

h5::Dataset create(const h5::File& file, const std::string& name, h5::Handle type) {
    return h5::Dataset::create(file, name, std::move(type), column_chunk, compressed);
}

h5::Dataset create_point_column(const h5::File& file, const Column& column) {
    h5::Dataset data = create(file, dataset_name(column), stored_type(file, column));
    h5::write_attribute(file, data.id(), "kind", name(column.kind));
    h5::write_attribute(file, data.id(), "role", name(column.role));
    if (column.kind == ColumnKind::real) h5::write_attribute(file, data.id(), "units", column.unit);
    if (column.kind == ColumnKind::label) h5::write_attribute(file, data.id(), "labels", column.labels);
    return data;
}

h5::Dataset create_metric_column(const h5::File& file, const MetricColumn& column) {
    h5::Dataset data = create(file, dataset_name(column), copy(H5T_IEEE_F64LE));
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

}  // namespace

/// The datasets of a file, open while rows come.
struct ColumnarWriter::Columns {
    std::vector<h5::Dataset> points;
    std::vector<h5::Dataset> metrics;
    h5::Dataset point_id;
    h5::Dataset status;
    h5::Dataset reason;
    h5::Dataset wall_seconds;
    h5::Dataset rank;
    h5::Dataset host;
    h5::Dataset long_reason_ids;
    h5::Dataset long_reason_texts;

    Columns(const h5::File& file, std::size_t reason_bytes)
        : point_id{create(file, point_id_dataset, copy(H5T_STD_U64LE))},
          status{create(file, status_dataset, status_type(file))},
          reason{create(file, reason_dataset, reason_type(file, reason_bytes))},
          wall_seconds{create(file, wall_seconds_dataset, copy(H5T_IEEE_F64LE))},
          rank{create(file, rank_dataset, copy(H5T_STD_I32LE))},
          host{create(file, host_dataset, copy(H5T_STD_U16LE))},
          long_reason_ids{create(file, long_reason_ids_dataset, copy(H5T_STD_U64LE))},
          // HDF5 keeps variable-length text apart from the dataset, out of reach of filters.
          long_reason_texts{h5::Dataset::create(file, long_reason_texts_dataset, h5::text_type(file),
                                                long_reason_chunk, h5::Compression::none)} {
        h5::write_attribute(file, wall_seconds.id(), "units", std::string_view{"s"});
    }
};

ColumnarWriter::ColumnarWriter(std::filesystem::path path, Header header, std::size_t reason_bytes)
    : path_{std::move(path)},
      unfinished_{path_.string() + ".unfinished"},
      header_{std::move(header)},
      reason_bytes_{std::max<std::size_t>(reason_bytes, 1)},
      file_{h5::File::create(unfinished_)} {
    write_header(file_, header_);
    h5::write_attribute(file_, file_.id(), "axes", axis_names(header_.schema, ColumnRole::axis));
    h5::write_attribute(file_, file_.id(), "derived", axis_names(header_.schema, ColumnRole::derived));
    for (const char* group : {"points", "metrics", "long_reasons"}) h5::create_group(file_, group);
    std::vector<h5::Dataset> points;
    std::vector<h5::Dataset> metrics;
    for (const Column& column : header_.schema.points) points.push_back(create_point_column(file_, column));
    for (const MetricColumn& column : header_.schema.metrics) {
        metrics.push_back(create_metric_column(file_, column));
    }
    columns_ = std::make_unique<Columns>(file_, reason_bytes_);
    columns_->points = std::move(points);
    columns_->metrics = std::move(metrics);
}

ColumnarWriter::~ColumnarWriter() {
    std::error_code ignored;
    std::filesystem::remove(unfinished_, ignored);
}

void ColumnarWriter::append(const Table& rows) {
    const std::uint64_t count = rows.rows();
    Columns& to = *columns_;
    to.point_id.append(rows.point_id.data(), count, H5T_NATIVE_UINT64);
    to.status.append(rows.status.data(), count, status_type(file_).id());
    to.wall_seconds.append(rows.wall_seconds.data(), count, H5T_NATIVE_DOUBLE);
    to.rank.append(rows.rank.data(), count, H5T_NATIVE_INT32);
    for (std::size_t c = 0; c < to.points.size(); ++c) {
        append_values(to.points[c], file_, header_.schema.points[c], rows.points[c]);
    }
    for (std::size_t c = 0; c < to.metrics.size(); ++c) {
        to.metrics[c].append(rows.metrics[c].data(), count, H5T_NATIVE_DOUBLE);
    }
    append_reasons(rows);
    append_hosts(rows);
    append_long_reasons(rows);
}

void ColumnarWriter::append_reasons(const Table& rows) {
    std::vector<char> texts(rows.rows() * reason_bytes_, '\0');
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const std::string& reason = rows.reason[i];
        const std::string shown = is_cut(reason) ? cut_reason(reason) : reason;
        std::memcpy(texts.data() + i * reason_bytes_, shown.data(), std::min(shown.size(), reason_bytes_));
    }
    columns_->reason.append(texts.data(), rows.rows(), reason_type(file_, reason_bytes_).id());
}

void ColumnarWriter::append_hosts(const Table& rows) {
    std::vector<std::uint16_t> indices;
    indices.reserve(rows.rows());
    for (const std::string& name : rows.host) {
        const auto [known, is_new] = host_indices_.emplace(name, static_cast<std::uint16_t>(hosts_.size()));
        if (is_new) hosts_.push_back(name);
        indices.push_back(known->second);
    }
    columns_->host.append(indices.data(), indices.size(), H5T_NATIVE_UINT16);
}

void ColumnarWriter::append_long_reasons(const Table& rows) {
    std::vector<std::uint64_t> ids;
    std::vector<const char*> texts;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (!is_cut(rows.reason[i])) continue;
        ids.push_back(rows.point_id[i]);
        texts.push_back(rows.reason[i].c_str());
    }
    columns_->long_reason_ids.append(ids.data(), ids.size(), H5T_NATIVE_UINT64);
    columns_->long_reason_texts.append(texts.data(), texts.size(), h5::text_type(file_).id());
}

void ColumnarWriter::finish(const std::vector<Coverage>& coverage) {
    columns_.reset();
    h5::write_attribute(file_, file_.id(), hosts_attribute, hosts_);
    write_coverage(file_, coverage);
    file_.close();
    seal(unfinished_);
    durable_rename(unfinished_, path_);
}

}  // namespace dse::results
