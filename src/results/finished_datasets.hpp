#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/results/result_schema.hpp"
#include "results/hdf5/dataset.hpp"

namespace dse::results {

/// The open datasets of a finished file, for reading.
struct FinishedDatasets {
    /// \throws InputError if a dataset is missing, or its length differs from the others
    FinishedDatasets(const h5::File& file, const ResultSchema& schema);

    [[nodiscard]] std::uint64_t rows() const { return point_id.size(); }

    h5::Dataset point_id;
    h5::Dataset status;
    h5::Dataset reason;
    h5::Dataset wall_seconds;
    h5::Dataset rank;
    h5::Dataset host;
    h5::Dataset long_reason_ids;
    h5::Dataset long_reason_texts;
    std::vector<h5::Dataset> values;
    std::vector<Column> columns;  ///< parallel to values: the point's, then the metrics as real columns
};

/// Values [first, first + count) of a dataset.
template <class T>
std::vector<T> read_block(const h5::Dataset& data, std::uint64_t first, std::uint64_t count, hid_t type) {
    std::vector<T> values(count);
    data.read(first, count, type, values.data());
    return values;
}

}  // namespace dse::results
