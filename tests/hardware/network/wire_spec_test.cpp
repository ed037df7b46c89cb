#include "dse/hardware/network/wire_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

WireSpec wire(std::string from, std::string to) {
    WireSpec wire;
    wire.from = std::move(from);
    wire.to = std::move(to);
    wire.link.bandwidth = BytesPerSecond{1e9};
    return wire;
}

TEST(WireEnd, is_a_device_a_range_or_a_name) {
    EXPECT_EQ(parse_wire_end("7")->first, 7);
    EXPECT_EQ(parse_wire_end("7")->devices, 1);
    EXPECT_EQ(parse_wire_end("8-15")->first, 8);
    EXPECT_EQ(parse_wire_end("8-15")->devices, 8);
    EXPECT_EQ(parse_wire_end("leaf-3")->devices, 0);
    EXPECT_EQ(parse_wire_end("leaf-3")->hub, "leaf-3");
    for (const char* wrong : {"", "-", "-1", "3-", "5-4", "1-2-3", "0-99999999", "99999999999999999999"}) {
        EXPECT_FALSE(parse_wire_end(wrong).has_value()) << wrong;
    }
}

TEST(WireSpec, reads_its_fields) {
    WireSpec read;
    EXPECT_EQ(
        errors_of("{from: 0-3, to: leaf0, bandwidth: 400 Gbps, latency: 1 us, cost: 3, direction: forth}",
                  read),
        "");
    EXPECT_EQ(read.from, "0-3");
    EXPECT_EQ(read.to, "leaf0");
    EXPECT_EQ(read.link.bandwidth, BytesPerSecond{50e9});
    EXPECT_EQ(read.cost, 3);
    EXPECT_EQ(read.direction, WireDirection::forth);
}

TEST(WireSpec, names_its_problems) {
    EXPECT_TRUE(problems_of(wire("0-3", "leaf0")).empty());
    EXPECT_TRUE(problems_of(wire("0-3", "4-7")).empty());
    EXPECT_EQ(keys(problems_of(wire("3-0", "leaf0"))), Keys{"from"});
    EXPECT_EQ(keys(problems_of(wire("0-3", "4-6"))), Keys{"to"});
    EXPECT_EQ(keys(problems_of(wire("a", "a"))), Keys{"to"});
    WireSpec free = wire("0", "1");
    free.cost = 0;
    EXPECT_EQ(keys(problems_of(free)), Keys{"cost"});
}

TEST(WireSpec, a_switch_with_one_wire_is_a_slip) {
    const std::vector<WireSpec> right{wire("0-3", "leaf0"), wire("4-7", "leaf1"), wire("leaf0", "leaf1")};
    EXPECT_TRUE(problems_of(right).empty());
    std::vector<WireSpec> wrong = right;
    wrong[2].to = "leaf2";
    const Problems problems = problems_of(wrong);
    EXPECT_EQ(keys(problems), Keys{"2.to"});
    EXPECT_NE(problems.text().find("switch 'leaf2' has only one wire (did you mean leaf0?)"),
              std::string::npos)
        << problems.text();
}

TEST(DegradedSpec, names_its_problems) {
    EXPECT_TRUE(problems_of(DegradedSpec{"leaf0", "spine1", 0.0, WireDirection::both}).empty());
    EXPECT_EQ(keys(problems_of(DegradedSpec{"", "4-2", 1.5, WireDirection::both})),
              (Keys{"factor", "from", "to"}));
}

TEST(WireSpec, join_devices_up_to_the_highest_number) {
    EXPECT_EQ(wired_devices({}), 0);
    const std::vector<WireSpec> wires{{"0-3", "leaf0", {}}, {"leaf0", "7", {}}, {"leaf0", "spine", {}}};
    EXPECT_EQ(wired_devices(wires), 8);
}

}  // namespace
}  // namespace dse::hardware
