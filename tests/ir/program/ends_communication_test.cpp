#include "dse/ir/program/ends_communication.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(EndsCommunication, IsWhatWaitsForATransfer) {
    for (const Opcode opcode : {Opcode::all_reduce_done, Opcode::all_gather_done,
                                Opcode::collective_permute_done, Opcode::recv_done, Opcode::async_done})
        EXPECT_TRUE(ends_communication(opcode)) << name(opcode);
    // Of a transfer the receiver waits; a copy is none between devices.
    for (const Opcode opcode : {Opcode::all_reduce, Opcode::all_reduce_start, Opcode::send, Opcode::send_done,
                                Opcode::recv, Opcode::copy_done, Opcode::async_start, Opcode::add})
        EXPECT_FALSE(ends_communication(opcode)) << name(opcode);
}

}  // namespace
}  // namespace dse::ir
