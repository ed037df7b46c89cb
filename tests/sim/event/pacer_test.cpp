#include "sim/event/pacer.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace dse::sim::event {
namespace {

TEST(Pacer, CallsOnceAnInterval) {
    int calls = 0;
    Pacer pacer{[&] { ++calls; }};
    for (std::uint32_t i = 1; i < Pacer::interval; ++i) pacer.step();
    EXPECT_EQ(calls, 0);
    pacer.step();
    EXPECT_EQ(calls, 1);
    for (std::uint32_t i = 0; i < 3 * Pacer::interval; ++i) pacer.step();
    EXPECT_EQ(calls, 4);
}

TEST(Pacer, NeedsNoFunction) {
    Pacer pacer{{}};
    for (std::uint32_t i = 0; i < Pacer::interval; ++i) EXPECT_NO_THROW(pacer.step());
}

}  // namespace
}  // namespace dse::sim::event
