#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dse/results/result_sink.hpp"
#include "dse/results/table.hpp"
#include "results/chunked_column.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/header.hpp"

namespace dse::results {

/// Writes a finished file: under a temporary name, until it is complete and on disk.
class ColumnarWriter {
  public:
    /// \param reason_bytes  longest text in the column of reasons
    /// \param most_rows     that may come: columns of fewer than column_chunk rows have smaller chunks, since
    ///                      every chunk is filled up and compressed whole
    ColumnarWriter(std::filesystem::path path, Header header, std::size_t reason_bytes,
                   std::uint64_t most_rows);
    ColumnarWriter(const ColumnarWriter&) = delete;
    ColumnarWriter& operator=(const ColumnarWriter&) = delete;

    /// Without finish(), no file is left behind.
    ~ColumnarWriter();

    /// \param rows  ascending by point id over all calls
    void append(const Table& rows);

    void finish(const std::vector<Coverage>& coverage);

  private:
    void add_values();
    void add_fixed();
    void index_hosts(const Table& rows);
    void append_long_reasons(const Table& rows);

    std::filesystem::path path_;
    std::filesystem::path unfinished_;
    Header header_;
    std::size_t reason_bytes_;
    std::uint64_t chunk_;
    h5::File file_;
    std::vector<ChunkedColumn> columns_;
    std::optional<h5::Dataset> long_reason_ids_;
    std::optional<h5::Dataset> long_reason_texts_;
    std::vector<std::uint16_t> block_hosts_;  ///< of the rows being written
    std::map<std::string, std::uint16_t> host_indices_;
    std::vector<std::string> hosts_;
};

}  // namespace dse::results
