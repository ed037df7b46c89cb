#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/result_sink.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/header.hpp"
#include "results/row_layout.hpp"

namespace dse::results {

/// Writes a finished file: under another name at first, whole and on the disk before it takes its own.
class ColumnarWriter {
  public:
    /// \param hosts  names that host indices point into
    /// \param reason_bytes  longest text of a reason in a row
    ColumnarWriter(std::filesystem::path path, Header header, std::vector<std::string> hosts,
                   std::size_t reason_bytes);
    ColumnarWriter(const ColumnarWriter&) = delete;
    ColumnarWriter& operator=(const ColumnarWriter&) = delete;

    /// Without finish(), nothing is left behind.
    ~ColumnarWriter();

    /// \param rows  hosts.size() rows, ascending by point id over all calls
    /// \param hosts  the host of each
    void append(const std::vector<std::byte>& rows, const std::vector<std::uint16_t>& hosts);

    void add_long_reason(std::uint64_t point_id, std::string text);

    void finish(const std::vector<Coverage>& coverage);

  private:
    void append_fixed(const std::byte* rows, std::size_t count);
    void append_reasons(const std::byte* rows, std::size_t count);
    void write_side_tables(const std::vector<Coverage>& coverage);

    std::filesystem::path path_;
    std::filesystem::path unfinished_;
    Header header_;
    RowLayout layout_;
    std::size_t reason_bytes_;
    h5::File file_;
    std::vector<h5::Dataset> values_;
    std::vector<h5::Dataset> fixed_;  ///< point_id, status, reason, wall_seconds, rank, host
    std::vector<std::pair<std::uint64_t, std::string>> long_reasons_;
};

}  // namespace dse::results
