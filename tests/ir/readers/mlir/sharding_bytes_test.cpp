#include "ir/readers/mlir/sharding_bytes.hpp"

#include <gtest/gtest.h>

#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {
namespace {

std::string words(std::string_view escaped) {
    return sharding_words(unescaped(escaped)).value_or("none");
}

// type: OTHER, tile_assignment_dimensions: [2, 1], tile_assignment_devices: [0, 1].
TEST(ShardingBytes, Tiles) {
    EXPECT_EQ(words(R"(\08\03\1A\02\02\01\22\02\00\01)"), "{devices=[2,1]0,1}");
    // The same, each number by itself.
    EXPECT_EQ(words(R"(\08\03\18\02\18\01\20\00\20\01)"), "{devices=[2,1]0,1}");
}

// iota_reshape_dims: [4, 2], iota_transpose_perm: [1, 0]; device 300 takes two bytes.
TEST(ShardingBytes, OrdersAndLastDimensions) {
    EXPECT_EQ(words(R"(\08\03\1A\03\02\01\04J\02\04\02R\02\01\000\01)"),
              "{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
    EXPECT_EQ(words(R"(\08\03\1A\02\01\02B\01\04J\01\02)"), "{devices=[1,2]<=[2] last_tile_dims={manual}}");
    EXPECT_EQ(words(R"(\08\01\22\02\AC\02)"), "{maximal device=300}");
}

TEST(ShardingBytes, WordsAndTuples) {
    EXPECT_EQ(words(""), "{replicated}");  // every field as it is unless stated
    EXPECT_EQ(words(R"(\08\00)"), "{replicated}");
    EXPECT_EQ(words(R"(\08\04)"), "{manual}");
    EXPECT_EQ(words(R"(\08\05)"), "{unknown}");
    EXPECT_EQ(words(R"(\08\02*\08\08\01\1A\01\01\22\01\00*\00)"), "{{maximal device=0},{replicated}}");
}

TEST(ShardingBytes, OthersAreNone) {
    EXPECT_EQ(words(R"(\08)"), "none");                                   // a field without its value
    EXPECT_EQ(words(R"(\1A\05\01)"), "none");                             // a list longer than the text
    EXPECT_EQ(words(R"(\08\63)"), "none");                                // type 99
    EXPECT_EQ(words(R"(\0D\00\00\00\00)"), "none");                       // four bytes: it has no such field
    EXPECT_EQ(words(R"(\08\80\80\80\80\80\80\80\80\80\80\01)"), "none");  // more than 64 bits
}

}  // namespace
}  // namespace dse::ir::mlir
