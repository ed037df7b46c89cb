#include "dse/results/hdf5_reader.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "dse/base/error.hpp"
#include "results/finished_sample.hpp"
#include "results/seal.hpp"

namespace dse::results::test {
namespace {

using testing::HasSubstr;

/// Gives a text attribute of a file's root another value; none where `value` is empty.
void set_attribute(const std::string& path, const char* name, const std::string& value) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    ASSERT_GE(H5Adelete(file, name), 0);
    if (!value.empty()) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        const char* const text = value.c_str();
        ASSERT_GE(H5Awrite(attribute, type, &text), 0);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
    }
    ASSERT_GE(H5Fclose(file), 0);
    seal(path);
}

std::string refusal(const std::string& file) {
    try {
        read_results(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Hdf5Reader, RefusesWhatIsNoResultsFile) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusal(folder.path("missing.h5")), HasSubstr("no such file"));
    EXPECT_THAT(refusal(folder.path()), HasSubstr("it is a directory"));
    EXPECT_THAT(refusal(folder.write("empty.h5", "")), HasSubstr("cannot open"));
    EXPECT_THAT(refusal(folder.write("text.h5", "tp,pp,time\n1,2,3\n")), HasSubstr("cannot open"));
}

TEST(Hdf5Reader, RefusesAnHdf5FileOfSomethingElse) {
    const TemporaryFolder folder;
    const std::string file = folder.write("foreign.h5", finished_file(folder, 500));
    set_attribute(file, "kind", "weights");
    EXPECT_THAT(refusal(file), HasSubstr("is not a results file of dse: it calls itself 'weights'"));
    set_attribute(file, "kind", "");  // without it, what the file holds decides
    EXPECT_EQ(refusal(file), "accepted");
    set_attribute(file, "schema_version", "");
    EXPECT_THAT(refusal(file), HasSubstr("is not a results file of dse"));
}

TEST(Hdf5Reader, RefusesAShardAsAFinishedFile) {
    const TemporaryFolder folder;
    ShardSink sink{folder.path(), sample_schema(), sample_provenance(), 0};
    write_range(sink, 0, 10);
    EXPECT_THAT(refusal(sink.path()), HasSubstr("it is not an HDF5 file"));
}

TEST(Hdf5Reader, ReadsThisMajorVersionAndTheOneBefore) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder, 500);
    const auto with_version = [&](const std::string& version) {
        const std::string file = folder.write("other.h5", good);
        set_attribute(file, "schema_version", version);
        return refusal(file);
    };
    const int current = std::stoi(std::string{schema_version});
    const std::string next = fmt::format("{}.0", current + 1);
    EXPECT_THAT(with_version(next), HasSubstr(fmt::format("schema version {}, this dse reads", next)));
    EXPECT_THAT(with_version(fmt::format("{}.3", current - 2)), HasSubstr("schema version"));
    EXPECT_THAT(with_version("one"), HasSubstr("schema version one"));
    EXPECT_EQ(with_version(fmt::format("{}.7", current)), "accepted");
    EXPECT_EQ(with_version(fmt::format("{}.4", current - 1)), "accepted");
}

TEST(Hdf5Reader, RefusesEveryTruncatedFile) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder, 500);
    for (std::size_t part = 0; part < 40; ++part) {
        const std::string cut = good.substr(0, good.size() * part / 40);
        EXPECT_THAT(refusal(folder.write("cut.h5", cut)),
                    HasSubstr(part == 0 ? "cannot open" : "no valid seal"));
    }
}

TEST(Hdf5Reader, RefusesAFileOfWhichOneBitIsFlipped) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder, 500);
    std::mt19937_64 random{20240711};
    for (int round = 0; round < 400; ++round) {
        std::string bad = good;
        const std::size_t place = random() % bad.size();
        bad[place] = static_cast<char>(bad[place] ^ (1 << (random() % 8)));
        EXPECT_THAT(refusal(folder.write("bad.h5", bad)), HasSubstr("no valid seal")) << place;
    }
}

TEST(Hdf5Reader, ReadsAllRowsOfARunningSweep) {
    const TemporaryFolder folder;
    finished_file(folder, 500);
    ShardSink sink{shard_folder(folder.path("good.h5")), sample_schema(), sample_provenance(), 0};
    write_range(sink, 400, 700);
    const Table table = read_so_far(folder.path("good.h5"));
    ASSERT_EQ(table.rows(), 700U);
    for (std::uint64_t id = 0; id < 700; ++id) EXPECT_EQ(table.point_id[id], id);
    EXPECT_THROW(read_so_far(folder.path("nothing.h5")), InputError);
}

}  // namespace
}  // namespace dse::results::test
