// Also tests: kineto/packed_text.cpp
#include "dse/trace/kineto/profile.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_file.hpp"
#include "profile_text.hpp"

namespace dse::trace::kineto {
namespace {

using test::ProfileText;

TEST(Profile, HasWhatTheDeviceAndTheHostDid) {
    ProfileText text;
    text.host("cpu_op", "aten::mm", 5, 1694128201435418.0, 20);
    text.call("cudaLaunchKernel", 5, 1694128201435420.0, 6, 77);
    text.kernel("gemm", 7, 1694128201435425.5, 8.25, 77);
    text.kernel("Memcpy HtoD", 22, 1694128201435450.0, 2, 78, ", \"bytes\": 832", "gpu_memcpy");
    text.host("user_annotation", "ProfilerStep#1", 5, 1694128201435418.0, 90);
    const Profile profile = text.read(R"({"rank": 3, "world_size": 8})");
    EXPECT_EQ(profile.rank, 3);
    EXPECT_EQ(profile.ranks, 8);
    EXPECT_EQ(profile.zero, 1694128201435418000);
    ASSERT_EQ(profile.device.size(), 2U);
    EXPECT_EQ(profile.device[0].stream, 7);
    EXPECT_EQ(profile.device[0].correlation, 77);
    EXPECT_EQ(profile.device[0].span.start, 7500);  // ns behind the first event
    EXPECT_EQ(profile.device[0].span.duration(), 8250);
    EXPECT_EQ(profile.device[1].kind, DeviceWork::Kind::copy);
    EXPECT_EQ(profile.device[1].bytes, 832);
    ASSERT_EQ(profile.calls.size(), 1U);
    EXPECT_EQ(profile.calls[0].thread, 5);
    EXPECT_EQ(profile.calls[0].span.start, 2000);
    ASSERT_EQ(profile.host.size(), 2U);
    EXPECT_EQ(profile.host[0].is_annotation + profile.host[1].is_annotation, 1);
}

TEST(Profile, ReadsWhatCollectivesWereAskedFor) {
    ProfileText text;
    text.kernel(
        "ncclKernel_AllReduce_RING_LL_Sum_float", 40, 10, 5, 1,
        R"(, "Collective name": "allreduce", "In msg nelems": 100, "Out msg nelems": 100, "dtype": "Float",)"
        R"( "Process Group Name": "4", "Process Group Ranks": "[0, 2]")");
    text.host("user_annotation", "nccl:all_to_all", 5, 1, 2,
              R"("Input Dims": [[6144], [2, 3]], "Input type": ["float", "float"])");
    const Profile profile =
        text.read(R"({"rank": 0, "pg_config": [{"pg_name": "4", "pg_desc": "tp", "ranks": [0, 2]}]})");
    ASSERT_TRUE(profile.device[0].collective);
    const CollectiveNote& note = *profile.device[0].collective;
    EXPECT_EQ(note.kind, "allreduce");
    EXPECT_EQ(note.group, "4");
    EXPECT_EQ(note.ranks, (std::vector<std::int64_t>{0, 2}));
    EXPECT_EQ(note.input_bytes, 400);
    ASSERT_TRUE(profile.host[0].collective);
    EXPECT_EQ(profile.host[0].collective->kind, "all_to_all");
    EXPECT_EQ(profile.host[0].collective->input_bytes, 4 * (6144 + 6));
    EXPECT_EQ(profile.groups, (std::vector<chakra::ProcessGroup>{{"4", "tp", {0, 2}}}));
}

TEST(Profile, ReadsWhatSynchronisationsWaitFor) {
    ProfileText text;
    text.sync("Stream Wait Event", 9,
              R"("stream": 7, "wait_on_stream": 20, "wait_on_cuda_event_record_corr_id": 8)");
    const Profile profile = text.read();
    ASSERT_EQ(profile.syncs.size(), 1U);
    EXPECT_EQ(profile.syncs[0].stream, 7);
    EXPECT_EQ(profile.syncs[0].waits_on_stream, 20);
    EXPECT_EQ(profile.syncs[0].event_correlation, 8);
}

TEST(Profile, MayBeCompressed) {
    ProfileText text;
    text.kernel("gemm", 7, 1, 2, 3);
    const dse::test::TemporaryFolder folder;
    const std::string content = text.text();
    chakra::TraceFile file{folder.path("p.json.gz"), chakra::Compression::gzip};
    file.write({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
    file.close();
    EXPECT_EQ(read_profile(folder.path("p.json.gz")).device.size(), 1U);
}

TEST(Profile, SkipsEventsThatAreNone) {
    const dse::test::TemporaryFolder folder;
    const Profile profile = read_profile(folder.write(
        "p.json", R"({"traceEvents": [1, {}, {"ph": "X"}, {"ph": "X", "ts": 1e300, "cat": "kernel"},
                      {"ph": "X", "ts": 1, "dur": -4, "cat": "kernel"}, {"ph": "i", "ts": 3, "cat": "kernel"},
                      {"ph": "X", "ts": 5, "cat": "kernel", "args": 7}]})"));
    ASSERT_EQ(profile.device.size(), 1U);
    EXPECT_EQ(profile.device[0].span.end, 0);
}

TEST(Profile, RefusesWhatIsNone) {
    const dse::test::TemporaryFolder folder;
    const auto message = [&folder](const std::string& text) {
        try {
            read_profile(folder.write("p.json", text));
        } catch (const InputError& error) {
            return std::string{error.what()};
        }
        return std::string{"no error"};
    };
    EXPECT_NE(message("").find("p.json' is not a profile"), std::string::npos);
    EXPECT_NE(message("{}").find("no list 'traceEvents'"), std::string::npos);
    EXPECT_NE(message(R"({"traceEvents": 3})").find("no list 'traceEvents'"), std::string::npos);
    EXPECT_NE(message(R"({"schema": "1.1.0", "nodes": []})").find("--host-traces"), std::string::npos);
    std::string archive(512, '\0');
    archive.replace(257, 5, "ustar");
    EXPECT_NE(message(archive).find("is an archive (tar): unpack it"), std::string::npos);
    EXPECT_NE(message(R"({"traceEvents": [{})").find("is not a profile"), std::string::npos);
    EXPECT_THROW(read_profile(folder.path("none")), InputError);
}

/// As PyTorch 1.8 to 1.11 wrote them: threads are texts, and a step of the profiler is an operator.
TEST(Profile, OldCategoriesAreThoseOfToday) {
    const dse::test::TemporaryFolder folder;
    const Profile profile = read_profile(folder.write("p.json", R"({"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "Operator", "name": "ProfilerStep#1", "pid": 5, "tid": "123", "ts": 0, "dur": 90, "args": {}},
{"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 5, "tid": "123", "ts": 10, "dur": 20, "args": {"External id": 2}},
{"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": "123", "ts": 12, "dur": 5, "args": {"correlation": 334, "external id": 2}},
{"ph": "X", "cat": "Kernel", "name": "gemm", "pid": 0, "tid": "stream 7", "ts": 20, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 334}},
{"ph": "X", "cat": "Memcpy", "name": "Memcpy DtoH", "pid": 0, "tid": "stream 7", "ts": 50, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 335, "bytes": 64}},
{"ph": "X", "cat": "Memset", "name": "Memset", "pid": 0, "tid": "stream 7", "ts": 55, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 336, "bytes": 8}}]})"));
    ASSERT_EQ(profile.device.size(), 3U);
    EXPECT_EQ(profile.device[0].kind, DeviceWork::Kind::kernel);
    EXPECT_EQ(profile.device[0].stream, 7);
    EXPECT_EQ(profile.device[1].kind, DeviceWork::Kind::copy);
    EXPECT_EQ(profile.device[1].bytes, 64);
    EXPECT_EQ(profile.device[2].kind, DeviceWork::Kind::set);
    ASSERT_EQ(profile.calls.size(), 1U);
    EXPECT_EQ(profile.calls[0].thread, 123);
    EXPECT_EQ(profile.calls[0].correlation, 334);
    ASSERT_EQ(profile.host.size(), 2U);
    EXPECT_TRUE(profile.host[0].is_annotation);
    EXPECT_FALSE(profile.host[1].is_annotation);
}

}  // namespace
}  // namespace dse::trace::kineto
