#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dse/base/error.hpp"
#include "results/hdf5/dataset.hpp"
#include "results/shard_tables.hpp"

namespace dse::results {

/// All valid rows of a table of small rows (ReasonPiece, CoverageRow); a block that cannot be read is left
/// out.
template <class Row>
std::vector<Row> read_table(const h5::File& file, const char* name, const h5::Handle& type) {
    const h5::Dataset data = h5::Dataset::open(file, name);
    std::vector<Row> rows;
    std::vector<Row> block(shard_chunk);
    for (std::uint64_t first = 0; first < data.size(); first += shard_chunk) {
        const std::uint64_t count = std::min(shard_chunk, data.size() - first);
        try {
            data.read(first, count, type.id(), block.data());
        } catch (const InputError&) {
            continue;
        }
        std::copy_if(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count),
                     std::back_inserter(rows), [](const Row& row) { return valid(row); });
    }
    return rows;
}

}  // namespace dse::results
