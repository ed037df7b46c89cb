#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/results/result_sink.hpp"
#include "results/hdf5/file.hpp"
#include "results/row_layout.hpp"

/// The tables of a shard and their HDF5 types.
namespace dse::results {

inline constexpr const char* rows_table = "rows";
inline constexpr const char* coverage_table = "coverage";
inline constexpr const char* long_reasons_table = "long_reasons";

/// Rows in a chunk of a shard's tables.
inline constexpr std::uint64_t shard_chunk = 1024;

/// A piece of a reason that is too long for its row.
struct ReasonPiece {
    std::uint64_t point_id;
    std::uint32_t offset;  ///< of the piece in the whole reason, bytes
    std::uint32_t length;  ///< of the piece, bytes
    char text[232];
    std::uint64_t checksum;  ///< of all bytes before
};
static_assert(sizeof(ReasonPiece) == 256);

/// A Coverage as it is stored.
struct CoverageRow {
    Coverage coverage;
    std::uint64_t checksum;  ///< of the coverage
};
static_assert(sizeof(CoverageRow) == 32);

std::vector<ReasonPiece> pieces_of(std::uint64_t point_id, std::string_view reason);
bool valid(const ReasonPiece& piece);
CoverageRow sealed(const Coverage& coverage);
bool valid(const CoverageRow& row);

/// Compound type of a row, its members named as in a finished file: "point_id", "points/tp", "metrics/mfu",
/// ….
h5::Handle row_type(const h5::File& file, const ResultSchema& schema);
h5::Handle reason_piece_type(const h5::File& file);
h5::Handle coverage_type(const h5::File& file);

/// Enumeration of space::Status.
h5::Handle status_type(const h5::File& file);

}  // namespace dse::results
