#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dse/results/column.hpp"
#include "dse/results/result_schema.hpp"
#include "results/hdf5/dataset.hpp"

/// How the columns of a finished file are stored, and their conversion to and from values of rows.
namespace dse::results {

inline constexpr const char* point_id_dataset = "point_id";
inline constexpr const char* status_dataset = "status";
inline constexpr const char* reason_dataset = "reason";
inline constexpr const char* rank_dataset = "rank";
inline constexpr const char* host_dataset = "host";
inline constexpr const char* wall_seconds_dataset = "wall_seconds";
inline constexpr const char* long_reason_ids_dataset = "long_reasons/point_id";
inline constexpr const char* long_reason_texts_dataset = "long_reasons/text";
inline constexpr const char* hosts_attribute = "hosts";

/// Values per chunk of a column.
inline constexpr std::uint64_t column_chunk = 16384;

/// Texts per chunk of the long reasons.
inline constexpr std::uint64_t long_reason_chunk = 1024;

/// Stored in integer columns for a missing value: -2^63.
inline constexpr std::int64_t absent_integer = INT64_MIN;

std::string dataset_name(const Column& column);
std::string dataset_name(const MetricColumn& column);

/// The HDF5 type in the file: int64, double, the enumeration FALSE/TRUE that h5py reads as bool, or an
/// enumeration of the labels.
h5::Handle stored_type(const h5::File& file, const Column& column);

/// Flag and label columns are written and read as int32 through this type, which has the same member names.
h5::Handle label_memory_type(const h5::File& file, const Column& column);

/// Enumeration of space::Status.
h5::Handle status_type(const h5::File& file);

/// Fixed-length UTF-8, padded with zeros. \pre bytes >= 1
h5::Handle reason_type(const h5::File& file, std::size_t bytes);

/// Bytes of a value of stored_type().
std::size_t stored_bytes(const Column& column);

/// Appends values as they are stored.
void put_values(const Column& column, const std::vector<double>& values, std::vector<std::byte>& to);

/// Values [first, first + count) of a column.
/// \throws InputError for a label that the column does not have
std::vector<double> read_values(const h5::Dataset& data, const h5::File& file, const Column& column,
                                std::uint64_t first, std::uint64_t count);

}  // namespace dse::results
