#include "results/chunked_column.hpp"

#include <utility>

#include "dse/base/check.hpp"
#include "results/hdf5/chunk_encoding.hpp"

namespace dse::results {

ChunkedColumn::ChunkedColumn(h5::Dataset data, std::size_t chunk, std::size_t value_bytes,
                             h5::Compression compression, Fill fill)
    : data_{std::move(data)},
      chunk_{chunk},
      value_bytes_{value_bytes},
      compression_{compression},
      fill_{std::move(fill)} {}

void ChunkedColumn::encode(const Table& block) {
    DSE_EXPECT(block.rows() <= chunk_);
    count_ = block.rows();
    std::swap(values_, before_);
    values_.clear();
    fill_(block, values_);
    values_.resize(chunk_ * value_bytes_);
    if (values_ == before_) return;
    encoded_ = h5::encoded_chunk(values_, value_bytes_, compression_);
}

void ChunkedColumn::write() {
    data_.append_chunk(encoded_, count_);
}

}  // namespace dse::results
