#include "ir/readers/hlo/shape_reader.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::hlo {
namespace {

struct Read {
    Source source;
    Scanner scanner{source};
    TypeTable types;
    ShapeReader reader{scanner, types};
    explicit Read(const std::string& text) : source{Source::text(text, "t")} {}
    const Type& type() { return types[reader.read()]; }
};

TEST(ShapeReader, ReadsArrays) {
    Read read{"bf16[8,<=16,?]{0,2,1:T(8,128)(2,1)E(4)S(5)} x"};
    const Type type = read.type();
    EXPECT_EQ(type.element, ElementType::bf16);
    EXPECT_EQ(type.sizes, (std::vector<std::int64_t>{8, 16, unknown_size}));
    EXPECT_TRUE(type.dynamic);
    EXPECT_EQ(type.minor_to_major, (std::vector<std::int64_t>{0, 2, 1}));
    EXPECT_EQ(type.memory_space, host_memory_space);
    EXPECT_EQ(read.scanner.word(), "x");
}

TEST(ShapeReader, ReadsTuplesTokensAndScalars) {
    Read read{"(f32[], (token[], opaque[]), /*index=2*/s4[3]{0:E(4)}, pred[]{}, ())"};
    EXPECT_EQ(read.types.text(read.reader.read()), "(f32[], (token, opaque), s4[3], pred[], ())");
}

TEST(ShapeReader, RowMajorIsAsIfNothingWereStated) {
    Read read{"f32[2,3]{1,0} f32[2,3] f32[2,3]{0,1}"};
    const TypeId stated = read.reader.read();
    EXPECT_EQ(stated, read.reader.read());
    EXPECT_NE(stated, read.reader.read());
}

TEST(ShapeReader, TellsShapesFromNames) {
    EXPECT_TRUE(Read{"f32[2]"}.reader.next());
    EXPECT_TRUE(Read{"(f32[2])"}.reader.next());
    EXPECT_FALSE(Read{"%f32"}.reader.next());
    EXPECT_FALSE(Read{"add(a)"}.reader.next());
}

TEST(ShapeReader, RefusesWhatIsNone) {
    for (const char* text : {"f33[2]", "f32", "f32[-1]", "f32[2]{1,0}", "f32[2]{0,0}", "(f32[2]", "f32[2",
                             "token[3]", "f32[2]{0:T(1}", "f32[2,]"})
        EXPECT_THROW(Read{text}.reader.read(), InputError) << text;
    try {
        Read{"bf61[2]"}.reader.read();
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "t:1:1: unknown element type 'bf61' (did you mean 'bf16'?)");
    }
}

}  // namespace
}  // namespace dse::ir::hlo
