#include "app/file_kind.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "support/yaml.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;

FileKind kind(const std::string& yaml, const std::string& file = "x.yaml") {
    return kind_of(dse::test::parse_right(yaml), file);
}

TEST(FileKind, EveryKindHasItsOwnName) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(FileKind::unknown); ++i)
        names.insert(name(static_cast<FileKind>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(FileKind::unknown) + 1);
    EXPECT_EQ(name(FileKind::template_file), "template");
    EXPECT_EQ(name(FileKind::unknown), "unknown");
}

TEST(FileKind, FollowsFromTheKeys) {
    EXPECT_EQ(kind("axes: {tp: [1]}"), FileKind::sweep);
    EXPECT_EQ(kind("device: h100_sxm"), FileKind::cluster);
    EXPECT_EQ(kind("memory: {capacity: 1 GB}"), FileKind::device);
    EXPECT_EQ(kind("vector: {}"), FileKind::learned);
    EXPECT_EQ(kind("my_kernel: {flops: 3}"), FileKind::foreign_costs);
    EXPECT_EQ(kind("mine: {pue: 1.2}"), FileKind::components);
    EXPECT_EQ(kind("precision: bf16"), FileKind::stack);
    EXPECT_EQ(kind("something: else"), FileKind::unknown);
    EXPECT_EQ(kind("{peak: {}, network: {}}"), FileKind::cluster) << "devices have no network";
}

TEST(FileKind, FoldersAndBasesTellWhereNoKeyDoes) {
    EXPECT_EQ(kind("name: x", "hardware/tables/x.yaml"), FileKind::table);
    EXPECT_EQ(kind("price: 1 USD/h", "hardware/devices/bases/x.yaml"), FileKind::device);
    EXPECT_EQ(kind("base: typical_gpu"), FileKind::device);
    EXPECT_EQ(kind("base: vllm_2025"), FileKind::stack);
    const TemporaryFolder folder;
    const std::string heir = folder.write("heir.yaml", "base: ./own.yaml\n");
    folder.write("own.yaml", "peak: {bf16: 1 TFLOPS}\n");
    EXPECT_EQ(kind("base: ./own.yaml", heir), FileKind::device);
    folder.write("own.yaml", "base: ./heir.yaml\n");
    EXPECT_EQ(kind("base: ./own.yaml", heir), FileKind::unknown) << "a circle";
}

TEST(FileKind, MessagesNameOneKeyOfEachKind) {
    EXPECT_THAT(kinds_and_keys(),
                testing::StartsWith("sweep (axes), model (template), template (boundary), "));
    EXPECT_THAT(kinds_and_keys(), testing::EndsWith("components (per_flop), stack (precision, serving, …)"));
}

}  // namespace
}  // namespace dse::app
