#include "dse/config/range_check.hpp"

#include <gtest/gtest.h>

#include "config/described.hpp"

namespace dse::config {
namespace {

std::string found(const described::Link& link) {
    std::string text;
    check_ranges(link, [&](const FieldInfo& field, double value) {
        text += field.path + " " + format_value(value, field) + " not " + format_range(field) + "\n";
    });
    return text;
}

TEST(RangeCheck, reports_each_field_that_lies_outside) {
    EXPECT_EQ(found({}), "");
    EXPECT_EQ(found({BytesPerSecond{0.0}, Seconds{-1.0}}),
              "bandwidth 0 B/s not above 0 B/s\nlatency -1 s not at least 0 s\n");
}

TEST(RangeCheck, leaves_nested_structs_to_their_own_checks) {
    described::Machine machine;
    machine.network.latency = Seconds{-1.0};
    bool reported = false;
    check_ranges(machine, [&](const FieldInfo&, double) { reported = true; });
    EXPECT_FALSE(reported);
}

}  // namespace
}  // namespace dse::config
