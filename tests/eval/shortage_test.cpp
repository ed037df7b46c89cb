#include "dse/eval/shortage.hpp"

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

using workload::MemoryKind;

TEST(WriteReason, NamesWhatTakesMost) {
    constexpr double gibibyte = 1073741824.0;
    Shortage shortage{Bytes{103.25 * gibibyte}, Bytes{80 * gibibyte}, 3, {}};
    shortage.by_kind[static_cast<std::size_t>(MemoryKind::parameters)] = 30.0 * gibibyte;
    shortage.by_kind[static_cast<std::size_t>(MemoryKind::activations)] = 71.0 * gibibyte;
    std::string text =
        "what stood there before, and is longer than what comes: it must leave no trace behind, not even "
        "here";
    write_reason(shortage, text);
    EXPECT_EQ(text, "needs 103.2 GiB of 80.0 GiB on stage 3, most of it activations (71.0 GiB)");
}

}  // namespace
}  // namespace dse::eval
