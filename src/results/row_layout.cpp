#include "results/row_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::results {
namespace {

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
void store(T value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
}

/// A NaN has many bit patterns; rows are compared by their bits, so only one is stored.
double canonical(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

std::uint64_t checksum_of(const RowLayout& layout, const Digest& sweep, const std::byte* row) {
    return checksum({row, layout.checksum_offset()}) ^ sweep.low;
}

bool continues_a_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::string cut(std::string_view text, std::size_t bytes) {
    constexpr std::string_view mark = "…";
    std::size_t length = bytes - mark.size();
    while (length > 0 && continues_a_character(text[length])) --length;
    return std::string{text.substr(0, length)} + std::string{mark};
}

}  // namespace

RowLayout::RowLayout(std::size_t points, std::size_t metrics) : points_{points}, metrics_{metrics} {}

RowLayout::RowLayout(const ResultSchema& schema) : RowLayout{schema.points.size(), schema.metrics.size()} {}

std::uint64_t RowView::point_id() const {
    return load<std::uint64_t>(row_ + RowLayout::point_id_offset);
}

space::Status RowView::status() const {
    return load<space::Status>(row_ + RowLayout::status_offset);
}

std::uint32_t RowView::reason_length() const {
    return load<std::uint32_t>(row_ + RowLayout::reason_length_offset);
}

std::string_view RowView::inline_reason() const {
    const std::string_view field{reinterpret_cast<const char*>(row_ + RowLayout::reason_offset),
                                 inline_reason_bytes};
    return field.substr(0, field.find('\0'));
}

double RowView::value(std::size_t i) const {
    return load<double>(row_ + layout_->value_offset(i));
}

double RowView::wall_seconds() const {
    return load<double>(row_ + layout_->wall_seconds_offset());
}

std::int32_t RowView::rank() const {
    return load<std::int32_t>(row_ + layout_->rank_offset());
}

bool RowView::valid(const Digest& sweep) const {
    return load<std::uint64_t>(row_ + layout_->checksum_offset()) == checksum_of(*layout_, sweep, row_);
}

void RowWriter::set_point_id(std::uint64_t id) {
    store(id, row_ + RowLayout::point_id_offset);
}

void RowWriter::set_status(space::Status status) {
    store(status, row_ + RowLayout::status_offset);
}

void RowWriter::set_reason(std::string_view reason) {
    const auto length = static_cast<std::uint32_t>(reason.size());
    if (reason.size() <= inline_reason_bytes) {
        set_stored_reason(reason, length);
    } else {
        set_stored_reason(cut(reason, inline_reason_bytes), length);
    }
}

void RowWriter::set_stored_reason(std::string_view text, std::uint32_t whole_length) {
    DSE_REQUIRE(text.size() <= inline_reason_bytes);
    std::byte* const field = row_ + RowLayout::reason_offset;
    std::memset(field, 0, inline_reason_bytes);
    std::memcpy(field, text.data(), text.size());
    store(whole_length, row_ + RowLayout::reason_length_offset);
}

void RowWriter::set_value(std::size_t i, double value) {
    store(canonical(value), row_ + layout_->value_offset(i));
}

void RowWriter::set_wall_seconds(double seconds) {
    store(seconds, row_ + layout_->wall_seconds_offset());
}

void RowWriter::set_rank(std::int32_t rank) {
    store(rank, row_ + layout_->rank_offset());
}

void RowWriter::seal(const Digest& sweep) {
    store(checksum_of(*layout_, sweep, row_), row_ + layout_->checksum_offset());
}

void RowWriter::invalidate(const Digest& sweep) {
    store(~checksum_of(*layout_, sweep, row_), row_ + layout_->checksum_offset());
}

void pack(const RowLayout& layout, const space::Record& record, std::int32_t rank, const Digest& sweep,
          std::byte* row) {
    DSE_REQUIRE(record.point.values.size() == layout.points());
    const auto fields = metrics::metric_fields();
    DSE_REQUIRE(fields.size() == layout.metrics());
    RowWriter writer{layout, row};
    writer.set_point_id(record.point.id);
    writer.set_status(record.status);
    writer.set_reason(record.reason);
    std::size_t i = 0;
    for (const double value : record.point.values) writer.set_value(i++, value);
    for (const metrics::MetricField& field : fields) writer.set_value(i++, record.metrics.*field.member);
    writer.set_wall_seconds(record.wall_seconds);
    writer.set_rank(rank);
    writer.seal(sweep);
}

}  // namespace dse::results
