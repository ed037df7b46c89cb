#include "dse/results/hdf5_reader.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "dse/base/error.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

using dse::test::read_file;
using testing::HasSubstr;

/// The bytes of a finished file with 500 rows.
std::string finished_file(const TemporaryFolder& folder) {
    const std::string file = folder.path("good.h5");
    SweepOutput output{file, sample_schema(), sample_provenance(), Start::resume, Logger{}};
    Hdf5ShardSink sink{output.shard_folder(), sample_schema(), sample_provenance(), 0};
    write_range(sink, 0, 500);
    output.finish();
    return read_file(file);
}

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
    const std::string file = folder.write("foreign.h5", finished_file(folder));
    set_attribute(file, "kind", "");  // by which dse knows its files
    EXPECT_THAT(refusal(file), HasSubstr("is no results file of dse"));
}

TEST(Hdf5Reader, RefusesAShardAsAFinishedFile) {
    const TemporaryFolder folder;
    Hdf5ShardSink sink{folder.path(), sample_schema(), sample_provenance(), 0};
    write_range(sink, 0, 10);
    EXPECT_THAT(refusal(sink.path()), HasSubstr("it calls itself 'dse shard'"));
}

TEST(Hdf5Reader, RefusesAnotherMajorVersion) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder);
    const auto with_version = [&](const std::string& version) {
        const std::string file = folder.write("other.h5", good);
        set_attribute(file, "schema_version", version);
        return refusal(file);
    };
    EXPECT_THAT(with_version("2.0"), HasSubstr("schema version 2.0, this dse reads version 1.x"));
    EXPECT_EQ(with_version("1.7"), "accepted");
}

TEST(Hdf5Reader, RefusesEveryTruncatedFile) {
    const TemporaryFolder folder;
    const std::string good = finished_file(folder);
    for (std::size_t part = 0; part < 40; ++part) {
        const std::string cut = good.substr(0, good.size() * part / 40);
        EXPECT_THAT(refusal(folder.write("cut.h5", cut)), HasSubstr("cannot open")) << part;
    }
}

TEST(Hdf5Reader, NeverReadsNumbersThatWereNotWritten) {
    // A flipped byte is an error, never another number, and never the end of the program.
    const TemporaryFolder folder;
    const std::string good = finished_file(folder);
    const Table expected = read_results(folder.path("good.h5"));
    std::mt19937_64 random{20240711};
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::string bad = good;
        const std::size_t place = random() % bad.size();
        bad[place] = static_cast<char>(~bad[place]);
        const std::string file = folder.write("bad.h5", bad);
        if (refusal(file) != "accepted") {
            ++refused;
            continue;
        }
        const Table table = read_results(file);
        EXPECT_EQ(table.point_id, expected.point_id) << place;
        EXPECT_EQ(table.points, expected.points) << place;
    }
    EXPECT_GT(refused, 390);  // all but in the seal's own mark
}

TEST(Hdf5Reader, ReadsARunningSweepTogetherWithWhatIsFinished) {
    const TemporaryFolder folder;
    finished_file(folder);
    const std::string file = folder.path("good.h5");
    Hdf5ShardSink sink{shard_folder(file), sample_schema(), sample_provenance(), 0};
    write_range(sink, 400, 700);
    folder.write("good.h5.shards/rank-00009-torn.h5", "torn");
    const Table table = read_so_far(file);
    ASSERT_EQ(table.rows(), 700U);
    for (std::uint64_t id = 0; id < 700; ++id) EXPECT_EQ(table.point_id[id], id);
    EXPECT_THROW(read_so_far(folder.path("nothing.h5")), InputError);
}

}  // namespace
}  // namespace dse::results::test
