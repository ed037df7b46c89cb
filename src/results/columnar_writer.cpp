#include "results/columnar_writer.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

#include "results/durable_rename.hpp"
#include "results/finished_columns.hpp"
#include "results/hdf5/attribute.hpp"
#include "results/hdf5/library.hpp"
#include "results/seal.hpp"
#include "results/shard_tables.hpp"

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

/// One value of every row, behind each other.
template <class T, class Get>
std::vector<T> gather(const RowLayout& layout, const std::byte* rows, std::size_t count, Get get) {
    std::vector<T> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) values.push_back(get(RowView{layout, rows + i * layout.bytes()}));
    return values;
}

}  // namespace

ColumnarWriter::ColumnarWriter(std::filesystem::path path, Header header, std::vector<std::string> hosts,
                               std::size_t reason_bytes)
    : path_{std::move(path)},
      unfinished_{path_.string() + ".unfinished"},
      header_{std::move(header)},
      layout_{header_.schema},
      reason_bytes_{std::max<std::size_t>(reason_bytes, 1)},
      file_{h5::File::create(unfinished_)} {
    write_header(file_, results_kind, header_);
    h5::write_attribute(file_, file_.id(), "axes", axis_names(header_.schema, ColumnRole::axis));
    h5::write_attribute(file_, file_.id(), "derived", axis_names(header_.schema, ColumnRole::derived));
    h5::write_attribute(file_, file_.id(), hosts_attribute, hosts);
    for (const char* group : {"points", "metrics", "long_reasons"}) h5::create_group(file_, group);
    for (const Column& column : header_.schema.points) values_.push_back(create_point_column(file_, column));
    for (const MetricColumn& column : header_.schema.metrics) {
        values_.push_back(create_metric_column(file_, column));
    }
    fixed_.push_back(create(file_, point_id_dataset, copy(H5T_STD_U64LE)));
    fixed_.push_back(create(file_, status_dataset, status_type(file_)));
    fixed_.push_back(create(file_, reason_dataset, reason_type(file_, reason_bytes_)));
    fixed_.push_back(create(file_, wall_seconds_dataset, copy(H5T_IEEE_F64LE)));
    h5::write_attribute(file_, fixed_.back().id(), "units", std::string_view{"s"});
    fixed_.push_back(create(file_, rank_dataset, copy(H5T_STD_I32LE)));
    fixed_.push_back(create(file_, host_dataset, copy(H5T_STD_U16LE)));
}

ColumnarWriter::~ColumnarWriter() {
    std::error_code ignored;
    std::filesystem::remove(unfinished_, ignored);
}

void ColumnarWriter::append(const std::vector<std::byte>& rows, const std::vector<std::uint16_t>& hosts) {
    const std::size_t count = hosts.size();
    append_fixed(rows.data(), count);
    append_reasons(rows.data(), count);
    fixed_[5].append(hosts.data(), count, H5T_NATIVE_UINT16);
    const std::size_t points = header_.schema.points.size();
    for (std::size_t c = 0; c < values_.size(); ++c) {
        const auto values =
            gather<double>(layout_, rows.data(), count, [c](const RowView& row) { return row.value(c); });
        if (c < points) {
            append_values(values_[c], file_, header_.schema.points[c], values);
        } else {
            values_[c].append(values.data(), count, H5T_NATIVE_DOUBLE);
        }
    }
}

void ColumnarWriter::append_fixed(const std::byte* rows, std::size_t count) {
    const auto ids =
        gather<std::uint64_t>(layout_, rows, count, [](const RowView& row) { return row.point_id(); });
    fixed_[0].append(ids.data(), count, H5T_NATIVE_UINT64);
    const auto status =
        gather<space::Status>(layout_, rows, count, [](const RowView& row) { return row.status(); });
    fixed_[1].append(status.data(), count, status_type(file_).id());
    const auto seconds =
        gather<double>(layout_, rows, count, [](const RowView& row) { return row.wall_seconds(); });
    fixed_[3].append(seconds.data(), count, H5T_NATIVE_DOUBLE);
    const auto ranks =
        gather<std::int32_t>(layout_, rows, count, [](const RowView& row) { return row.rank(); });
    fixed_[4].append(ranks.data(), count, H5T_NATIVE_INT32);
}

void ColumnarWriter::append_reasons(const std::byte* rows, std::size_t count) {
    std::vector<char> texts(count * reason_bytes_, '\0');
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view text = RowView{layout_, rows + i * layout_.bytes()}.inline_reason();
        std::memcpy(texts.data() + i * reason_bytes_, text.data(), std::min(text.size(), reason_bytes_));
    }
    fixed_[2].append(texts.data(), count, reason_type(file_, reason_bytes_).id());
}

void ColumnarWriter::add_long_reason(std::uint64_t point_id, std::string text) {
    long_reasons_.emplace_back(point_id, std::move(text));
}

void ColumnarWriter::write_side_tables(const std::vector<Coverage>& coverage) {
    std::vector<std::uint64_t> ids;
    std::vector<const char*> texts;
    for (const auto& [id, text] : long_reasons_) {
        ids.push_back(id);
        texts.push_back(text.c_str());
    }
    create(file_, long_reason_ids_dataset, copy(H5T_STD_U64LE))
        .append(ids.data(), ids.size(), H5T_NATIVE_UINT64);
    const h5::Handle text = h5::text_type(file_);
    // HDF5 keeps variable-length text apart from the dataset, out of reach of filters.
    h5::Dataset::create(file_, long_reason_texts_dataset, copy(text.id()), shard_chunk, h5::Compression::none)
        .append(texts.data(), texts.size(), text.id());
    std::vector<CoverageRow> rows;
    for (const Coverage& range : coverage) rows.push_back(sealed(range));
    const h5::Handle type = coverage_type(file_);
    create(file_, coverage_dataset, copy(type.id())).append(rows.data(), rows.size(), type.id());
}

void ColumnarWriter::finish(const std::vector<Coverage>& coverage) {
    write_side_tables(coverage);
    values_.clear();
    fixed_.clear();
    file_.close();
    seal(unfinished_);
    durable_rename(unfinished_, path_);
}

}  // namespace dse::results
