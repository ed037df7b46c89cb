#include "results/chunked_column.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "results/finished_columns.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

Table block_of(std::uint64_t first, std::uint64_t count, std::uint64_t step) {
    Table block;
    for (std::uint64_t i = 0; i < count; ++i) block.point_id.push_back(first + i * step);
    return block;
}

// A chunk that repeats the one before is not made again, but written again.
TEST(ChunkedColumn, WritesChunksThatDifferAndChunksThatRepeat) {
    const test::TemporaryFolder folder;
    h5::File file = h5::File::create(folder.path("a.h5"));
    const auto compressed = h5::Compression::shuffle_deflate;
    ChunkedColumn column{
        h5::Dataset::create(file, "ids", {H5Tcopy(H5T_STD_U64LE), H5Tclose}, column_chunk, compressed),
        column_chunk, 8, compressed, [](const Table& block, std::vector<std::byte>& to) {
            const auto bytes = std::as_bytes(std::span{block.point_id});
            to.insert(to.end(), bytes.begin(), bytes.end());
        }};
    std::vector<std::uint64_t> expected;
    for (const auto& [first, count, step] : std::vector<std::array<std::uint64_t, 3>>{
             {0, column_chunk, 1}, {7, column_chunk, 0}, {7, column_chunk, 0}, {7, 100, 0}}) {
        const Table block = block_of(first, count, step);
        column.encode(block);
        column.write();
        expected.insert(expected.end(), block.point_id.begin(), block.point_id.end());
    }
    std::vector<std::uint64_t> values(column.data().size());
    column.data().read(0, values.size(), H5T_NATIVE_UINT64, values.data());
    EXPECT_EQ(values, expected);
}

}  // namespace
}  // namespace dse::results
