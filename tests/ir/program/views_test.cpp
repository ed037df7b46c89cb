#include "dse/ir/program/views.hpp"

#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

bool is_view_in(Language language, Opcode opcode) {
    test::ProgramMaker maker;
    maker.program.language = language;
    maker.open_entry();
    const auto type = maker.bf16({8, 8});
    return is_view(maker.program, maker.many(opcode, {type}, {maker.argument(type)}));
}

TEST(Views, AreOtherNamesOfMemory) {
    for (const Language language : {Language::hlo, Language::mlir, Language::fx}) {
        for (const Opcode opcode : {Opcode::reshape, Opcode::dynamic_reshape, Opcode::bitcast,
                                    Opcode::bitcast_convert, Opcode::view, Opcode::expand})
            EXPECT_TRUE(is_view_in(language, opcode)) << name(opcode);
        for (const Opcode opcode :
             {Opcode::copy, Opcode::broadcast, Opcode::concatenate, Opcode::gather, Opcode::convert})
            EXPECT_FALSE(is_view_in(language, opcode)) << name(opcode);
    }
}

// XLA copies what it cuts out or turns; PyTorch changes strides.
TEST(Views, OfStridedArraysArePartsAndTurns) {
    for (const Opcode opcode : {Opcode::slice, Opcode::transpose}) {
        EXPECT_TRUE(is_view_in(Language::fx, opcode)) << name(opcode);
        EXPECT_FALSE(is_view_in(Language::hlo, opcode)) << name(opcode);
        EXPECT_FALSE(is_view_in(Language::mlir, opcode)) << name(opcode);
    }
}

}  // namespace
}  // namespace dse::ir
