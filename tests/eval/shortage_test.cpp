#include "dse/eval/shortage.hpp"

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

using graph::MemoryKind;

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

TEST(WriteReason, OfTheHost) {
    constexpr double gibibyte = 1073741824.0;
    std::string text;
    write_reason({Bytes{300 * gibibyte}, Bytes{256 * gibibyte}, 0, {}, Shortage::Of::host}, text);
    EXPECT_EQ(text, "needs 300.0 GiB of 256.0 GiB of host memory a device");
    write_reason({Bytes{0.25 * gibibyte}, Bytes{}, 0, {}, Shortage::Of::host}, text);
    EXPECT_EQ(text, "needs 0.2 GiB of host memory a device; the machine states none (cluster.host.capacity)");
}

}  // namespace
}  // namespace dse::eval
