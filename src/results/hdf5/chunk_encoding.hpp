#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/hdf5/dataset.hpp"

namespace dse::results::h5 {

/// What a dataset stores of a chunk: the bytes that HDF5's own filters would make of it. Made here, chunks of
/// several columns can be made at once, which HDF5 cannot, and one that repeats the chunk before costs
/// nothing. \param values  a whole chunk \param value_bytes  size of a value Source: HDF5 1.10, H5Zshuffle.c,
/// H5Zdeflate.c, H5Zfletcher32.c.
std::vector<std::byte> encoded_chunk(std::span<const std::byte> values, std::size_t value_bytes,
                                     Compression compression);

}  // namespace dse::results::h5
