#include "results/shard_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "results/hdf5/library.hpp"

namespace dse::results {
namespace {

template <class T>
std::uint64_t checksum_before_last(const T& row) {
    return checksum({reinterpret_cast<const std::byte*>(&row), offsetof(T, checksum)});
}

/// A compound type that grows member by member.
class Compound {
  public:
    Compound(const h5::File& file, std::size_t bytes)
        : path_{file.path()}, type_{h5::own(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose, "write to", path_)} {}

    Compound& add(const std::string& name, std::size_t offset, hid_t type) {
        h5::check(H5Tinsert(type_.id(), name.c_str(), offset, type), "write to", path_);
        return *this;
    }

    [[nodiscard]] h5::Handle take() { return std::move(type_); }

  private:
    std::string path_;
    h5::Handle type_;
};

h5::Handle fixed_text(const h5::File& file, std::size_t bytes) {
    h5::Handle type = h5::own(H5Tcopy(H5T_C_S1), H5Tclose, "write to", file.path());
    h5::check(H5Tset_size(type.id(), bytes), "write to", file.path());
    h5::check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "write to", file.path());
    h5::check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "write to", file.path());
    return type;
}

}  // namespace

std::vector<ReasonPiece> pieces_of(std::uint64_t point_id, std::string_view reason) {
    std::vector<ReasonPiece> pieces;
    for (std::size_t offset = 0; offset < reason.size(); offset += sizeof ReasonPiece::text) {
        const std::string_view part = reason.substr(offset, sizeof ReasonPiece::text);
        ReasonPiece piece{};
        piece.point_id = point_id;
        piece.offset = static_cast<std::uint32_t>(offset);
        piece.length = static_cast<std::uint32_t>(part.size());
        std::copy(part.begin(), part.end(), piece.text);
        piece.checksum = checksum_before_last(piece);
        pieces.push_back(piece);
    }
    return pieces;
}

bool valid(const ReasonPiece& piece) {
    return piece.length <= sizeof piece.text && piece.checksum == checksum_before_last(piece);
}

CoverageRow sealed(const Coverage& coverage) {
    CoverageRow row{coverage, 0};
    row.checksum = checksum_before_last(row);
    return row;
}

bool valid(const CoverageRow& row) {
    return row.checksum == checksum_before_last(row);
}

h5::Handle status_type(const h5::File& file) {
    using space::Status;
    h5::Handle type = h5::own(H5Tenum_create(H5T_STD_U8LE), H5Tclose, "write to", file.path());
    for (const Status status :
         {Status::ok, Status::out_of_memory, Status::outside_validity, Status::failed, Status::timed_out}) {
        const std::string label{space::name(status)};
        h5::check(H5Tenum_insert(type.id(), label.c_str(), &status), "write to", file.path());
    }
    return type;
}

h5::Handle row_type(const h5::File& file, const ResultSchema& schema) {
    const RowLayout layout{schema};
    const h5::Handle status = status_type(file);
    const h5::Handle reason = fixed_text(file, inline_reason_bytes);
    Compound row{file, layout.bytes()};
    row.add("point_id", RowLayout::point_id_offset, H5T_NATIVE_UINT64)
        .add("reason_length", RowLayout::reason_length_offset, H5T_NATIVE_UINT32)
        .add("status", RowLayout::status_offset, status.id())
        .add("reason", RowLayout::reason_offset, reason.id());
    std::size_t i = 0;
    for (const Column& column : schema.points) {
        row.add("points/" + column.name, layout.value_offset(i++), H5T_NATIVE_DOUBLE);
    }
    for (const MetricColumn& column : schema.metrics) {
        row.add("metrics/" + column.name, layout.value_offset(i++), H5T_NATIVE_DOUBLE);
    }
    row.add("wall_seconds", layout.wall_seconds_offset(), H5T_NATIVE_DOUBLE)
        .add("rank", layout.rank_offset(), H5T_NATIVE_INT32)
        .add("checksum", layout.checksum_offset(), H5T_NATIVE_UINT64);
    return row.take();
}

h5::Handle reason_piece_type(const h5::File& file) {
    const h5::Handle text = fixed_text(file, sizeof ReasonPiece::text);
    return Compound{file, sizeof(ReasonPiece)}
        .add("point_id", offsetof(ReasonPiece, point_id), H5T_NATIVE_UINT64)
        .add("offset", offsetof(ReasonPiece, offset), H5T_NATIVE_UINT32)
        .add("length", offsetof(ReasonPiece, length), H5T_NATIVE_UINT32)
        .add("text", offsetof(ReasonPiece, text), text.id())
        .add("checksum", offsetof(ReasonPiece, checksum), H5T_NATIVE_UINT64)
        .take();
}

h5::Handle coverage_type(const h5::File& file) {
    const std::size_t base = offsetof(CoverageRow, coverage);
    return Compound{file, sizeof(CoverageRow)}
        .add("first", base + offsetof(Coverage, first), H5T_NATIVE_UINT64)
        .add("count", base + offsetof(Coverage, count), H5T_NATIVE_UINT64)
        .add("rows", base + offsetof(Coverage, rows), H5T_NATIVE_UINT64)
        .add("checksum", offsetof(CoverageRow, checksum), H5T_NATIVE_UINT64)
        .take();
}

}  // namespace dse::results
