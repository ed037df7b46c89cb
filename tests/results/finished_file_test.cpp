// Also tests: hdf5/attribute.cpp, hdf5/dataset.cpp, hdf5/file.cpp, hdf5/library.cpp
// Also tests: finished_datasets.cpp, column_cursor.cpp, finished_header.cpp
#include "results/finished_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "dse/base/error.hpp"
#include "dse/results/merge.hpp"
#include "dse/results/proof.hpp"
#include "dse/results/results_reader.hpp"
#include "results/finished_sample.hpp"
#include "results/hdf5/file.hpp"
#include "results/seal.hpp"

namespace dse::results::test {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& file, Trust trust) {
    try {
        ResultsReader{file, ResultsReader::Extent::finished, trust}.each([](const Table&) {});
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// A finished file without its seal.
std::string unsealed_file(const TemporaryFolder& folder) {
    const std::string bytes = finished_file(folder, 100);
    return folder.write("unsealed.h5", bytes.substr(0, bytes.size() - 16));
}

TEST(FinishedFile, IsRefusedWithoutASeal) {
    const TemporaryFolder folder;
    const std::string file = unsealed_file(folder);
    EXPECT_THAT(refusal(file, Trust::sealed), HasSubstr("has no valid seal"));
    EXPECT_THAT(refusal(file, Trust::sealed), HasSubstr("--unsealed"));
}

TEST(FinishedFile, SaysInWhichUnitToShowItsValues) {
    const TemporaryFolder folder;
    ResultSchema schema = sample_schema();
    schema.points[1].shown_unit = "Gbps";
    const std::string file = folder.path("shown.h5");
    SweepOutput output{file, schema, sample_provenance(), Start::resume, Logger{}};
    output.finish();
    const ResultsReader reader{file, ResultsReader::Extent::finished};
    EXPECT_EQ(reader.columns().schema.points[0].shown_unit, "");
    EXPECT_EQ(reader.columns().schema.points[1].shown_unit, "Gbps");

    const h5::File opened = h5::File::open(file);
    double size = 0.0;
    const hid_t attribute = H5Aopen_by_name(opened.id(), "points/cluster.network.bandwidth", "shown_size",
                                            H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Aread(attribute, H5T_NATIVE_DOUBLE, &size), 0);
    H5Aclose(attribute);
    EXPECT_EQ(size, 1.25e8) << "B/s";
}

TEST(FinishedFile, HoldsTheSettingsOfTheRun) {
    const TemporaryFolder folder;
    const auto settings_in = [&](const char* name, const std::vector<std::string>& settings) {
        ResultSchema schema = sample_schema();
        schema.sweep.settings = settings;
        const std::string file = folder.path(name);
        SweepOutput output{file, schema, sample_provenance(), Start::resume, Logger{}};
        output.finish();
        return ResultsReader{file, ResultsReader::Extent::finished}.columns().schema.sweep.settings;
    };
    EXPECT_THAT(settings_in("set.h5", {"tp=8", "zero=3"}), testing::ElementsAre("tp=8", "zero=3"));
    EXPECT_THAT(settings_in("plain.h5", {}), testing::IsEmpty());
}

TEST(FinishedFile, ShowsSiUnitsIfItIsOlderThanTheseAttributes) {
    const TemporaryFolder folder;
    finished_file(folder, 10);
    const std::string file = folder.path("good.h5");
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(H5Adelete(opened, "point_shown_units"), 0);
    H5Fclose(opened);
    seal(file);
    const ResultsReader reader{file, ResultsReader::Extent::finished};
    for (const Column& column : reader.columns().schema.points) EXPECT_EQ(column.shown_unit, "");
}

TEST(FinishedFile, IsReadWithoutASealWhereThatIsAskedFor) {
    const TemporaryFolder folder;
    ResultsReader reader{unsealed_file(folder), ResultsReader::Extent::finished, Trust::unsealed};
    EXPECT_TRUE(reader.columns().unsealed);
    std::uint64_t rows = 0;
    reader.each([&](const Table& block) {
        for (std::size_t i = 0; i < block.rows(); ++i) {
            EXPECT_EQ(block.point_id[i], rows++);
            EXPECT_EQ(block.reason[i], sample_record(block.point_id[i]).reason);
            EXPECT_EQ(block.host[i], "node7");
        }
    });
    EXPECT_EQ(rows, 100U);
}

TEST(FinishedFile, KeepsItsMarkWhenItIsMerged) {
    const TemporaryFolder folder;
    const std::vector<std::filesystem::path> inputs{unsealed_file(folder)};
    EXPECT_THROW(merge_files(inputs, folder.path("merged.h5")), InputError);
    EXPECT_EQ(merge_files(inputs, folder.path("merged.h5"), Trust::unsealed).rows, 100U);
    const ResultsReader merged{folder.path("merged.h5"), ResultsReader::Extent::finished};
    EXPECT_TRUE(merged.columns().unsealed) << "sealed now, but of rows that nothing vouched for";
}

TEST(FinishedFile, IsMarkedOnlyWhereItsSealIsBroken) {
    const TemporaryFolder folder;
    finished_file(folder, 10);
    const ResultsReader whole{folder.path("good.h5"), ResultsReader::Extent::finished, Trust::unsealed};
    EXPECT_FALSE(whole.columns().unsealed);
}

// HDF5 1.10 ends by a signal for some of these; where a file can be read, its rows are as many as before.
TEST(FinishedFile, NeverEndsTheProcessHoweverDamaged) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder, 20);
    int refused = 0;
    for (std::size_t round = 0; round < 24; ++round) {
        std::string bad = good;
        const std::size_t place = round * 2503 % (good.size() - 16);
        bad[place] = static_cast<char>(bad[place] ^ (1 << (round % 8)));
        const std::string file = folder.write("bad.h5", bad);
        EXPECT_THAT(refusal(file, Trust::sealed), HasSubstr("no valid seal"));
        if (refusal(file, Trust::unsealed) != "accepted") ++refused;
    }
    EXPECT_LT(refused, 24);
}

/// As a network's weights, say: nothing of it is damaged.
TEST(FinishedFile, OfAnotherProgramIsNotCalledDamaged) {
    const TemporaryFolder folder;
    const std::string file = folder.path("weights.h5");
    const std::string start = "'" + file + "' is not a results file of dse: it ";
    const auto close = [](hid_t object) { H5Oclose(object); };
    hid_t other = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(other);
    EXPECT_EQ(refusal(file, Trust::sealed), start + "is empty");
    other = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g"})
        close(H5Gcreate2(other, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(other);
    for (const Trust trust : {Trust::sealed, Trust::unsealed})
        EXPECT_EQ(refusal(file, trust), start + "holds 'a', 'b', 'c', 'd', 'e', 'f', …");
    EXPECT_THAT([&] { return read_proof(file); },
                testing::ThrowsMessage<InputError>(HasSubstr("it holds 'a'")));
}

TEST(FinishedFile, IsNotAnyFile) {
    const TemporaryFolder folder;
    for (const Trust trust : {Trust::sealed, Trust::unsealed}) {
        EXPECT_THAT(refusal(folder.path("missing.h5"), trust), HasSubstr("no such file"));
        EXPECT_THAT(refusal(folder.path(), trust), HasSubstr("it is a directory"));
        EXPECT_THAT(refusal("/dev/zero", trust), HasSubstr("it is not a regular file"));
        EXPECT_THAT(refusal(folder.write("text.h5", "tp,pp\n"), trust), HasSubstr("it is not an HDF5 file"));
    }
    std::string sealed = folder.write("sealed.h5", "\x89HDF\r\n\x1a\n and nothing more");
    seal(sealed);
    EXPECT_THAT(refusal(sealed, Trust::sealed), HasSubstr("cannot open"));
}

}  // namespace
}  // namespace dse::results::test
