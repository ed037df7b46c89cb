#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/hdf5/dataset.hpp"

namespace dse::results::h5 {

/// A chunk as a dataset stores it: the bytes that HDF5's own filters would produce. Computed here, because
/// chunks of several columns can be encoded in parallel, which HDF5 does not support, and a chunk equal to
/// the previous one need not be encoded again.
/// \param values       a whole chunk
/// \param value_bytes  size of a value
/// Source: HDF5 1.10, H5Zshuffle.c, H5Zdeflate.c, H5Zfletcher32.c.
std::vector<std::byte> encoded_chunk(std::span<const std::byte> values, std::size_t value_bytes,
                                     Compression compression);

}  // namespace dse::results::h5
