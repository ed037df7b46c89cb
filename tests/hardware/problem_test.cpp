#include "dse/hardware/problem.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/device/memory_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(Problems, say_what_lies_outside_of_its_range) {
    const Problems problems = out_of_range(MemorySpec{Bytes{80e9}, BytesPerSecond{-1.0}, 1.5});
    EXPECT_EQ(keys(problems), (Keys{"bandwidth", "efficiency"}));
    EXPECT_EQ(
        problems.text(),
        "bandwidth: -1 B/s is out of range: must be above 0 B/s (memory bandwidth of one device according to "
        "the datasheet)\n"
        "efficiency: 1.5 is out of range: must be above 0 and at most 1 (share of the bandwidth that a long "
        "copy sustains)");
    EXPECT_TRUE(out_of_range(MemorySpec{Bytes{80e9}, BytesPerSecond{1e12}, 1.0}).empty());
}

TEST(Problems, are_what_a_struct_expects_besides) {
    Problems problems;
    problems.expect(true, "a", "why");
    problems.expect(false, "b", "why");
    EXPECT_EQ(problems.text(), "b: why");
}

TEST(Problems, nest_under_the_key_of_the_outer_struct) {
    Problems inner;
    inner.expect(false, "capacity", "why");
    Problems outer;
    outer.nest("memory", inner);
    EXPECT_EQ(keys(outer), Keys{"memory.capacity"});
}

TEST(Report, points_at_the_value_in_the_file) {
    config::Diagnostics diagnostics;
    const auto map =
        config::parse_yaml("memory:\n  capacity: {value: 0 B, source: nobody}\n", "x.yaml", diagnostics);
    Problems problems;
    problems.expect(false, "memory.capacity", "a device needs memory");
    report(problems, map, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1U);
    EXPECT_EQ(to_string(diagnostics.all()[0].where), "x.yaml:2:21");
    EXPECT_EQ(diagnostics.all()[0].message, "a device needs memory");
}

TEST(Report, leaves_out_what_was_reported_before) {
    config::Diagnostics diagnostics;
    const auto map = config::parse_yaml("bandwidth: fast\n", "x.yaml", diagnostics);
    diagnostics.error(map.find("bandwidth")->location(), "bandwidth", "no quantity");
    Problems problems;
    diagnostics.error(map.location(), "latency", "missing");
    problems.expect(false, "bandwidth", "why");
    problems.expect(false, "latency", "why");
    report(problems, map, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 2U);
}

/// A name of no file, whose fields are all absent for that.
TEST(Report, leaves_out_what_follows_from_the_error_of_what_contains_it) {
    config::Diagnostics diagnostics;
    const auto map = config::parse_yaml("cluster: nobodys\nmemory: {capacity: 0 B}\n", "x.yaml", diagnostics);
    diagnostics.error(map.find("cluster")->location(), "cluster", "no file");
    diagnostics.warning(map.find("memory")->location(), "memory", "is small");
    Problems problems;
    problems.expect(false, "cluster.device.peak", "no rate");
    problems.expect(false, "clusters", "are none");
    problems.expect(false, "memory.bandwidth", "is missing");
    report(problems, map, diagnostics);
    EXPECT_EQ(diagnostics.error_count(), 3U) << diagnostics.text();
    EXPECT_EQ(diagnostics.text().find("no rate"), std::string::npos);
}

// A file with an error has been reported: what it would have said is not missing in the file that names it.
TEST(Report, leaves_out_what_a_broken_file_would_have_said) {
    config::Diagnostics diagnostics;
    const auto map = config::parse_yaml("device: mine\n", "x.yaml", diagnostics);
    diagnostics.incomplete("device");
    Problems problems;
    problems.expect(false, "device.memory.capacity", "why");
    problems.expect(false, "devices", "why");
    report(problems, map, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1U);
    EXPECT_EQ(diagnostics.all()[0].path, "devices");

    config::Diagnostics wrong;
    report(problems, config::parse_yaml("hello", "x.yaml", wrong), wrong);
    EXPECT_TRUE(wrong.ok()) << "that it is no map is all there is to say";
}

TEST(Report, points_at_the_map_that_lacks_a_value) {
    config::Diagnostics diagnostics;
    const auto map = config::parse_yaml("a: {latency: 1 s}\n", "x.yaml", diagnostics);
    Problems problems;
    problems.expect(false, "rate", "some is needed");
    report(problems, *map.find("a"), diagnostics);
    EXPECT_EQ(diagnostics.text(), "x.yaml:1:4: error: a.rate: some is needed");
}

}  // namespace
}  // namespace dse::hardware
