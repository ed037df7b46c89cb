#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "dse/results/table.hpp"
#include "results/hdf5/dataset.hpp"

namespace dse::results {

/// A column of a finished file during writing, one chunk at a time.
class ChunkedColumn {
  public:
    /// Appends the values of a block's rows in the file's representation.
    using Fill = std::function<void(const Table& block, std::vector<std::byte>& to)>;

    /// \param data  new, with chunks of `chunk` values
    /// \param value_bytes  size of a value in the file
    ChunkedColumn(h5::Dataset data, std::size_t chunk, std::size_t value_bytes, h5::Compression compression,
                  Fill fill);

    /// Makes the chunk of a block; touches nothing but this column.
    /// \param block  of `chunk` rows, but for the last one
    void encode(const Table& block);

    /// Appends the last encoded chunk to the file.
    void write();

    [[nodiscard]] const h5::Dataset& data() const { return data_; }

  private:
    h5::Dataset data_;
    std::size_t chunk_;
    std::size_t value_bytes_;
    h5::Compression compression_;
    Fill fill_;
    std::size_t count_{0};
    std::vector<std::byte> values_;   ///< of the last chunk
    std::vector<std::byte> before_;   ///< of the previous chunk
    std::vector<std::byte> encoded_;  ///< the last chunk as stored
};

}  // namespace dse::results
