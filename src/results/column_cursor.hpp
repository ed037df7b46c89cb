#pragma once

#include <cstddef>
#include <memory>

#include "results/finished_datasets.hpp"
#include "results/row.hpp"

namespace dse::results {

/// Iterates over the rows of a finished file and holds one chunk of it. The file must outlive it.
/// \param hosts  number of machines that the file names
std::unique_ptr<RowCursor> column_cursor(const FinishedDatasets& columns, const h5::File& file,
                                         std::size_t hosts);

/// Bytes of a text in the column of reasons.
std::size_t reason_bytes(const FinishedDatasets& columns, const h5::File& file);

}  // namespace dse::results
