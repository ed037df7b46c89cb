#include "dse/trace/chakra/export.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "graph/small_pipeline.hpp"
#include "read_traces.hpp"

namespace dse::trace::chakra {
namespace {

using graph::test::SmallPipeline;

/// Stages of four ranks each.
SmallPipeline made_of(std::uint32_t stages) {
    SmallPipeline made{stages, 3};
    made.set_degree(graph::MeshAxis::data, 4);
    const graph::RegionId pass =
        made.region("pass", 1, {SmallPipeline::node(made.kernel(1, 1, 1), {graph::ValueRef::port(0)})},
                    {graph::ValueRef::item(0)});
    made.finish(pass, pass, {}, graph::AxisSet{graph::MeshAxis::data} | graph::MeshAxis::pipeline);
    return made;
}

TEST(Export, TakesOneRankOfEachStage) {
    graph::Mesh mesh;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = 2;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::data)] = 4;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::pipeline)] = 3;
    EXPECT_EQ(one_rank_of_each_stage(mesh), (std::vector<std::int64_t>{0, 8, 16}));
    // The pipeline's axis may be the inner one.
    std::rotate(mesh.order.begin(), mesh.order.end() - 1, mesh.order.end());
    EXPECT_EQ(one_rank_of_each_stage(mesh), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(Export, EveryRankIsOneOfTheMesh) {
    graph::Mesh mesh;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::tensor)] = 2;
    mesh.size[static_cast<std::size_t>(graph::MeshAxis::pipeline)] = 3;
    EXPECT_EQ(every_rank(mesh), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Export, WritesTheRanksThatAreNamed) {
    const SmallPipeline made = made_of(2);
    const dse::test::TemporaryFolder folder;
    std::vector<std::size_t> progress;
    const ExportOptions options{folder.path("a/b/t"), {0, 3, 5}, Compression::none, [&](std::size_t done) {
                                    progress.push_back(done);
                                }};
    const ExportSummary summary = export_traces(made.graph, {}, options);
    EXPECT_EQ(summary.files, 3U);
    EXPECT_EQ(summary.communicators, 1U);
    EXPECT_EQ(progress, (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(summary.communicator_file, folder.path("a/b/t.json"));
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    for (const std::int64_t rank : options.ranks) {
        const std::string path = folder.path("a/b/t." + std::to_string(rank) + ".et");
        nodes += test::read_nodes(path).size();
        bytes += std::filesystem::file_size(path);
    }
    EXPECT_EQ(summary.nodes, nodes);
    EXPECT_EQ(summary.bytes, bytes);
    // Three microbatches there and back, and as many messages each way; the barrier.
    EXPECT_EQ(nodes, 3U * (6 + 6 + 1));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder.path("a/b")}, {}), 4);
}

TEST(Export, WritesTheSameCompressed) {
    const SmallPipeline made = made_of(2);
    const dse::test::TemporaryFolder folder;
    export_traces(made.graph, {}, {folder.path("plain"), {5}, Compression::none, {}});
    export_traces(made.graph, {}, {folder.path("zipped"), {5}, Compression::gzip, {}});
    const auto plain = test::read_nodes(folder.path("plain.5.et"));
    const auto zipped = test::read_nodes(folder.path("zipped.5.et"));
    ASSERT_EQ(plain.size(), zipped.size());
    for (std::size_t n = 0; n < plain.size(); ++n) {
        EXPECT_EQ(plain[n].name, zipped[n].name);
        EXPECT_EQ(plain[n].attributes, zipped[n].attributes);
    }
    EXPECT_NE(dse::test::read_file(folder.path("plain.5.et")),
              dse::test::read_file(folder.path("zipped.5.et")));
}

std::string message_of(const graph::Graph& graph, const ExportOptions& options) {
    try {
        export_traces(graph, {}, options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Export, SaysWhatCannotBeWritten) {
    const SmallPipeline made = made_of(1);
    const dse::test::TemporaryFolder folder;
    folder.write("file", "");
    EXPECT_NE(message_of(made.graph, {folder.path("file/t"), {0}, Compression::none, {}})
                  .find("cannot make the folder"),
              std::string::npos);
    std::filesystem::create_symlink("/dev/full", folder.path("t.1.et"));
    EXPECT_NE(message_of(made.graph, {folder.path("t"), {0, 1}, Compression::none, {}})
                  .find("t.1.et': No space left on device"),
              std::string::npos);
    std::filesystem::create_symlink("/dev/full", folder.path("u.json"));
    EXPECT_NE(
        message_of(made.graph, {folder.path("u"), {0}, Compression::none, {}}).find("u.json': No space left"),
        std::string::npos);
}

// The test's own disk is not full; a mesh so large that its traces would not fit on any is asked for instead.
TEST(Export, AsksForRoomBeforeItFillsTheDisk) {
    SmallPipeline made{1, 100'000};
    made.set_degree(graph::MeshAxis::data, 1'000'000);
    const graph::RegionId pass =
        made.region("pass", 1, {SmallPipeline::node(made.kernel(1, 1, 1), {graph::ValueRef::port(0)})},
                    {graph::ValueRef::item(0)});
    made.finish(pass, pass);
    ExportOptions options;
    for (std::int64_t rank = 0; rank < 1'000'000; ++rank) options.ranks.push_back(rank);
    const dse::test::TemporaryFolder folder;
    options.prefix = folder.path("t");
    // 200,000 nodes of some 100 bytes, a million times: 2e13 bytes.
    const std::string message = message_of(made.graph, options);
    EXPECT_NE(message.find("999999 more traces need"), std::string::npos) << message;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder.path()}, {}), 1) << "one trace";
}

TEST(Export, OverwritesNothingUnasked) {
    const SmallPipeline made = made_of(1);
    const dse::test::TemporaryFolder folder;
    folder.write("t.1.et", "old");
    ExportOptions options{folder.path("t"), {0, 1}, Compression::none, {}};
    options.existing = Existing::refuse;
    EXPECT_NE(message_of(made.graph, options).find("t.1.et' already exists"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder.path("t.0.et"))) << "looked at before anything is written";
    options.existing = Existing::replace;
    EXPECT_EQ(message_of(made.graph, options), "no error");
    EXPECT_NE(dse::test::read_file(folder.path("t.1.et")), "old");
}

// The communicators say that all traces are there: those of earlier ones go, and new ones come last.
TEST(Export, LeavesNoCommunicatorsBesideHalfOfTheTraces) {
    const SmallPipeline made = made_of(2);
    const dse::test::TemporaryFolder folder;
    folder.write("t.json", "{}");
    ExportOptions options{folder.path("t"), {0, 1, 2}, Compression::none, {}};
    int asked = 0;
    options.stopped = [&] { return ++asked == 3; };
    EXPECT_THROW(export_traces(made.graph, {}, options), Stopped);
    EXPECT_TRUE(std::filesystem::exists(folder.path("t.0.et")));
    EXPECT_FALSE(std::filesystem::exists(folder.path("t.json")));
}

}  // namespace
}  // namespace dse::trace::chakra
