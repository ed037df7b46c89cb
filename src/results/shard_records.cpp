#include "results/shard_records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "results/log/bytes.hpp"

namespace dse::results {
namespace {

/// Must be incremented with every change of the records' contents that older or newer readers misread.
constexpr std::uint32_t log_version = 1;

/// Whether metrics follow the values of the point.
enum class MetricsForm : std::uint8_t { absent = 0, stored = 1 };

void put_count(ByteWriter& to, std::size_t count) {
    to.put(static_cast<std::uint32_t>(count));
}

void put_texts(ByteWriter& to, const std::vector<std::string>& texts) {
    put_count(to, texts.size());
    for (const std::string& text : texts) to.put(std::string_view{text});
}

std::string get_text(ByteReader& from) {
    return std::string{from.text()};
}

std::vector<std::string> get_texts(ByteReader& from) {
    std::vector<std::string> texts;
    for (auto count = from.get<std::uint32_t>(); count > 0; --count) texts.push_back(get_text(from));
    return texts;
}

void put_sweep(ByteWriter& to, const SweepIdentity& sweep) {
    to.put(std::string_view{sweep.name});
    to.put(std::string_view{sweep.yaml});
    to.put(sweep.digest.high);
    to.put(sweep.digest.low);
    to.put(sweep.seed);
    to.put(sweep.points);
    put_count(to, sweep.facts.size());
    for (const auto& [name, value] : sweep.facts) {
        to.put(std::string_view{name});
        to.put(std::string_view{value});
    }
    put_count(to, sweep.objectives.size());
    for (const metrics::Objective& objective : sweep.objectives) {
        to.put(std::string_view{objective.metric});
        to.put(objective.direction);
    }
}

SweepIdentity get_sweep(ByteReader& from) {
    SweepIdentity sweep;
    sweep.name = get_text(from);
    sweep.yaml = get_text(from);
    sweep.digest.high = from.get<std::uint64_t>();
    sweep.digest.low = from.get<std::uint64_t>();
    sweep.seed = from.get<std::uint64_t>();
    sweep.points = from.get<std::uint64_t>();
    for (auto count = from.get<std::uint32_t>(); count > 0; --count) {
        std::string name = get_text(from);
        sweep.facts.emplace_back(std::move(name), get_text(from));
    }
    for (auto count = from.get<std::uint32_t>(); count > 0; --count) {
        std::string metric = get_text(from);
        sweep.objectives.push_back({std::move(metric), from.get<metrics::Direction>()});
    }
    return sweep;
}

void put_columns(ByteWriter& to, const ResultSchema& schema) {
    put_count(to, schema.points.size());
    for (const Column& column : schema.points) {
        to.put(std::string_view{column.name});
        to.put(name(column.kind));
        to.put(name(column.role));
        to.put(std::string_view{column.unit});
        put_texts(to, column.labels);
    }
    put_count(to, schema.metrics.size());
    for (const MetricColumn& column : schema.metrics) {
        to.put(std::string_view{column.name});
        to.put(std::string_view{column.unit});
    }
}

void get_columns(ByteReader& from, ResultSchema& schema) {
    for (auto count = from.get<std::uint32_t>(); count > 0; --count) {
        Column column;
        column.name = get_text(from);
        column.kind = column_kind(from.text());
        column.role = column_role(from.text());
        column.unit = get_text(from);
        column.labels = get_texts(from);
        schema.points.push_back(std::move(column));
    }
    schema.metrics.clear();
    for (auto count = from.get<std::uint32_t>(); count > 0; --count) {
        std::string name = get_text(from);
        schema.metrics.push_back({std::move(name), get_text(from)});
    }
}

double canonical(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

void put_values(ByteWriter& to, std::span<const double> values) {
    for (const double value : values) to.put(canonical(value));
}

bool known(space::Status status) {
    return status >= space::Status::ok && status <= space::Status::timed_out;
}

}  // namespace

std::vector<std::byte> encode(const LogHeader& header) {
    std::vector<std::byte> bytes;
    ByteWriter to{bytes};
    to.put(log_version);
    to.put(std::string_view{header.name});
    put_texts(to, header.hosts);
    const Provenance& by = header.header.provenance;
    for (const std::string& text : {by.dse_version, by.git_hash, by.host, by.start}) {
        to.put(std::string_view{text});
    }
    put_sweep(to, header.header.schema.sweep);
    put_columns(to, header.header.schema);
    to.put(std::string_view{header.header.version});
    to.put(static_cast<std::uint8_t>(header.header.unsealed));
    for (const Column& column : header.header.schema.points) to.put(std::string_view{column.shown_unit});
    put_texts(to, header.header.schema.sweep.settings);
    return bytes;
}

LogHeader decode_header(std::span<const std::byte> bytes) {
    ByteReader from{bytes};
    const auto version = from.get<std::uint32_t>();
    if (version != log_version) {
        throw InputError(
            fmt::format("its rows are in form {}, this dse reads form {}", version, log_version));
    }
    LogHeader header;
    header.name = get_text(from);
    header.hosts = get_texts(from);
    Provenance& by = header.header.provenance;
    for (std::string* text : {&by.dse_version, &by.git_hash, &by.host, &by.start}) *text = get_text(from);
    header.header.schema.sweep = get_sweep(from);
    get_columns(from, header.header.schema);
    header.header.version = get_text(from);
    header.header.unsealed = from.get<std::uint8_t>() != 0;
    if (from.left() == 0) return header;  // a header of schema version 2.0
    for (Column& column : header.header.schema.points) column.shown_unit = get_text(from);
    if (from.left() > 0) header.header.schema.sweep.settings = get_texts(from);
    return header;
}

void encode(const Row& row, const RowShape& shape, std::vector<std::byte>& bytes) {
    DSE_REQUIRE(row.values.size() == shape.values());
    const auto metrics = row.values.subspan(shape.points);
    const bool absent =
        std::all_of(metrics.begin(), metrics.end(), [](double value) { return std::isnan(value); });
    ByteWriter to{bytes};
    to.put(row.point_id);
    to.put(row.wall_seconds);
    to.put(row.rank);
    to.put(row.host);
    to.put(row.status);
    to.put(absent ? MetricsForm::absent : MetricsForm::stored);
    to.put(row.reason);
    put_values(to, row.values.first(shape.points));
    if (!absent) put_values(to, metrics);
}

Row decode_row(std::span<const std::byte> bytes, const RowShape& shape, std::vector<double>& values) {
    ByteReader from{bytes};
    Row row;
    row.point_id = from.get<std::uint64_t>();
    row.wall_seconds = from.get<double>();
    row.rank = from.get<std::int32_t>();
    row.host = from.get<std::uint16_t>();
    row.status = from.get<space::Status>();
    const auto form = from.get<MetricsForm>();
    row.reason = from.text();
    values.assign(shape.values(), std::numeric_limits<double>::quiet_NaN());
    const std::span all{values};
    from.get(form == MetricsForm::stored ? all : all.first(shape.points));
    if (!known(row.status) || from.left() > 0) throw InputError("a record is not a row of its file");
    row.values = values;
    return row;
}

void encode(const Coverage& coverage, std::vector<std::byte>& bytes) {
    ByteWriter to{bytes};
    to.put(coverage.first);
    to.put(coverage.count);
    to.put(coverage.rows);
}

Coverage decode_coverage(std::span<const std::byte> bytes) {
    ByteReader from{bytes};
    Coverage coverage;
    coverage.first = from.get<std::uint64_t>();
    coverage.count = from.get<std::uint64_t>();
    coverage.rows = from.get<std::uint64_t>();
    return coverage;
}

}  // namespace dse::results
