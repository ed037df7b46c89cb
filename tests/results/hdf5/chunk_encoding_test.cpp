#include "results/hdf5/chunk_encoding.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results::h5 {
namespace {

constexpr std::size_t chunk = 1003;  // not a multiple of eight

/// Values of so many bytes, half of them noise.
std::vector<std::byte> sample(std::size_t value_bytes, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::vector<std::byte> bytes(chunk * value_bytes);
    for (std::size_t i = 0; i < bytes.size() / 2; ++i) bytes[i] = static_cast<std::byte>(random());
    return bytes;
}

Handle opaque(std::size_t bytes) {
    return {H5Tcreate(H5T_OPAQUE, bytes), H5Tclose};
}

// HDF5 undoes its filters and verifies its checksum when it reads.
TEST(ChunkEncoding, IsWhatHdf5Reads) {
    const test::TemporaryFolder folder;
    for (const Compression compression :
         {Compression::none, Compression::checksum, Compression::shuffle_deflate}) {
        for (const std::size_t bytes : {1U, 2U, 3U, 4U, 8U, 155U}) {
            const std::string path = folder.path("a.h5");
            File file = File::create(path);
            Dataset data = Dataset::create(file, "column", opaque(bytes), chunk, compression);
            data.append_chunk(encoded_chunk(sample(bytes, 1), bytes, compression), chunk);
            data.append_chunk(encoded_chunk(sample(bytes, 2), bytes, compression), chunk / 4);
            file.flush();
            const File read = File::open(path);
            const Dataset column = Dataset::open(read, "column");
            ASSERT_EQ(column.size(), chunk + chunk / 4);
            std::vector<std::byte> values(column.size() * bytes);
            column.read(0, column.size(), opaque(bytes).id(), values.data());
            std::vector<std::byte> expected = sample(bytes, 1);
            const std::vector<std::byte> rest = sample(bytes, 2);
            expected.insert(expected.end(), rest.begin(),
                            rest.begin() + static_cast<std::ptrdiff_t>(chunk / 4 * bytes));
            EXPECT_EQ(values, expected) << bytes;
        }
    }
}

// Byte by byte what HDF5 stores itself: a reader of it needs nothing of ours.
TEST(ChunkEncoding, IsWhatHdf5Writes) {
    const test::TemporaryFolder folder;
    for (const std::size_t bytes : {1U, 4U, 7U, 8U}) {
        File file = File::create(folder.path("a.h5"));
        Dataset data = Dataset::create(file, "column", opaque(bytes), chunk, Compression::shuffle_deflate);
        const std::vector<std::byte> values = sample(bytes, 3);
        data.append(values.data(), chunk, opaque(bytes).id());
        file.flush();
        const std::vector<std::byte> encoded = encoded_chunk(values, bytes, Compression::shuffle_deflate);
        hsize_t stored = 0;
        const hsize_t offset = 0;
        ASSERT_GE(H5Dget_chunk_storage_size(data.id(), &offset, &stored), 0);
        ASSERT_EQ(stored, encoded.size());
        std::vector<std::byte> raw(stored);
        std::uint32_t skipped = 0;
        ASSERT_GE(H5Dread_chunk(data.id(), H5P_DEFAULT, &offset, &skipped, raw.data()), 0);
        EXPECT_EQ(raw, encoded) << bytes;
        EXPECT_EQ(skipped, 0U);
    }
}

TEST(ChunkEncoding, CarriesAChecksum) {
    std::vector<std::byte> chunk_bytes = sample(8, 4);
    const test::TemporaryFolder folder;
    File file = File::create(folder.path("a.h5"));
    Dataset data = Dataset::create(file, "column", opaque(8), chunk, Compression::checksum);
    std::vector<std::byte> encoded = encoded_chunk(chunk_bytes, 8, Compression::checksum);
    encoded[17] ^= std::byte{1};
    data.append_chunk(encoded, chunk);
    EXPECT_THROW(data.read(0, chunk, opaque(8).id(), chunk_bytes.data()), InputError);
}

}  // namespace
}  // namespace dse::results::h5
