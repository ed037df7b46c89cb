#include "app/hugging_face/block_list.hpp"

#include <gtest/gtest.h>

namespace dse::app {
namespace {

std::vector<ImportedBlock> pattern_of(const std::string& letters) {
    std::vector<ImportedBlock> blocks{{"embedding"}};
    for (const char letter : letters)
        blocks.push_back(letter == '*'   ? ImportedBlock{"attention"}
                         : letter == 'M' ? ImportedBlock{"scan", 1, {{"heads", 8}}}
                                         : ImportedBlock{"mlp", 1, {{"f", 64}}});
    blocks.push_back({"head"});
    return blocks;
}

TEST(BlockList, WritesAShortListOnOneLine) {
    EXPECT_EQ(block_list({{"embedding"}, {"layer", 32}, {"window_layer", 2, {{"window", 128}}}, {"head"}}),
              " [embedding, layer: 32, window_layer: {count: 2, window: 128}, head]\n");
    EXPECT_EQ(block_list({}), " []\n");
}

/// Two scans and MLPs, an attention and an MLP, three times: 12 of 18 blocks are saved; two more of five do
/// not pay.
TEST(BlockList, WritesARecurringPatternOnce) {
    EXPECT_EQ(block_list(pattern_of("M-M-*-M-M-*-M-M-*-M-M-")),
              "\n"
              "  - embedding\n"
              "  - repeat:\n"
              "      times: 3\n"
              "      blocks:\n"
              "        - scan: &scan {count: 1, heads: 8}\n"
              "        - mlp: &mlp {count: 1, f: 64}\n"
              "        - scan: *scan\n"
              "        - mlp: *mlp\n"
              "        - attention\n"
              "        - mlp: *mlp\n"
              "  - scan: *scan\n"
              "  - mlp: *mlp\n"
              "  - scan: *scan\n"
              "  - mlp: *mlp\n"
              "  - head\n");
}

/// The same block with other sizes has an anchor of its own; sizes that occur once have none.
TEST(BlockList, TellsSizesApart) {
    std::vector<ImportedBlock> blocks;
    for (int i = 0; i < 4; ++i) {
        blocks.push_back({"layer", 5, {{"window", 128}}});
        blocks.push_back({"layer", 1, {{"window", 4096}}});
    }
    blocks.push_back({"layer", 1, {{"window", 4096}}});
    blocks.push_back({"layer", 2, {{"window", 128}}});
    EXPECT_EQ(block_list(blocks),
              "\n"
              "  - repeat:\n"
              "      times: 4\n"
              "      blocks:\n"
              "        - layer: &layer {count: 5, window: 128}\n"
              "        - layer: &layer_2 {count: 1, window: 4096}\n"
              "  - layer: *layer_2\n"
              "  - layer: {count: 2, window: 128}\n");
}

}  // namespace
}  // namespace dse::app
