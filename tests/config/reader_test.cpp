#include "dse/config/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/described.hpp"
#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"
#include "support/yaml.hpp"

namespace dse::config {
namespace {

using described::Device;
using described::Link;
using described::Machine;
using described::Schedule;
using testing::HasSubstr;

const char* const complete =
    "name: node\n"
    "devices: 16\n"
    "small: 200\n"
    "efficiency: {value: 0.75, source: measured, note: at 8192}\n"
    "overlap: true\n"
    "schedule: 1f1b\n"
    "network: {bandwidth: 400 Gbps, latency: 5 us}\n"
    "device:\n"
    "  memory: {value: 80 GiB, source: data sheet}\n"
    "  power: 350 W\n"
    "  fabric: {bandwidth: 450 GB/s}\n";

TEST(Reader, FillsEveryFieldOfTheStruct) {
    Machine machine;
    ASSERT_EQ(test::read_errors(complete, machine), "");
    EXPECT_EQ(machine.name, "node");
    EXPECT_EQ(machine.devices, 16);
    EXPECT_EQ(machine.small, 200);
    EXPECT_EQ(machine.efficiency, 0.75);
    EXPECT_TRUE(machine.overlap);
    EXPECT_EQ(machine.schedule, Schedule::one_f_one_b);
    EXPECT_EQ(machine.network.bandwidth, BytesPerSecond{5e10});
    EXPECT_EQ(machine.network.latency, Seconds{5e-6});
    EXPECT_EQ(machine.device.memory, Bytes{85899345920.0});
    EXPECT_EQ(machine.device.power, Watts{350});
    EXPECT_EQ(machine.device.fabric.bandwidth, BytesPerSecond{4.5e11});
    EXPECT_EQ(machine.device.fabric.latency, Seconds{1e-6});  // its default
}

TEST(Reader, AbsentOptionalFieldsKeepTheirDefaults) {
    Machine machine;
    ASSERT_EQ(test::read_errors("{devices: 1, network: {bandwidth: 1 B/s}, device: {memory: 1 B}}", machine),
              "");
    EXPECT_EQ(machine.efficiency, 0.5);
    EXPECT_EQ(machine.schedule, Schedule::gpipe);
    EXPECT_EQ(machine.device.power, Watts{700});
    EXPECT_EQ(machine.device.fabric.bandwidth, BytesPerSecond{1.0});
}

// One file, everything that can be wrong with it, all told at once and each at its place.
TEST(Reader, AllErrorsComeAtOnce) {
    Machine machine;
    EXPECT_EQ(
        test::read_errors("name: [a, b]\n"
                          "devices: 8.5\n"
                          "small: 300\n"
                          "efficiency: fast\n"
                          "overlap: maybe\n"
                          "schedule: 1f1p\n"
                          "overlaps: true\n"
                          "network:\n"
                          "  bandwith: 400 Gbps\n"
                          "  latency: 5\n"
                          "device:\n"
                          "  memory: 80 Gbps\n"
                          "  fabric: fast\n",
                          machine),
        "t.yaml:1:7: error: name: expected text, found a list of 2\n"
        "t.yaml:2:10: error: devices: '8.5' is not an integer\n"
        "t.yaml:3:8: error: small: '300' is not between 0 and 255\n"
        "t.yaml:4:13: error: efficiency: 'fast' is not a number\n"
        "t.yaml:5:10: error: overlap: 'maybe' is neither true nor false\n"
        "t.yaml:6:11: error: schedule: unknown value '1f1p' (did you mean '1f1b'?)\n"
        "t.yaml:7:1: error: overlaps: unknown key 'overlaps' (did you mean 'overlap'?)\n"
        "t.yaml:9:3: error: network.bandwidth: missing (it has no default)\n"
        "t.yaml:9:3: error: network.bandwith: unknown key 'bandwith' (did you mean 'bandwidth'?)\n"
        "t.yaml:10:12: error: network.latency: '5' has no unit (write it as in '5 us' or '2 s')\n"
        "t.yaml:12:11: error: device.memory: '80 Gbps' is in B/s, but B is needed (write it as in '80 GiB')\n"
        "t.yaml:13:11: error: device.fabric: expected a map, found 'fast'");
}

TEST(Reader, ValuesOutOfRangeAndOldNamesAreToldAtTheirPlace) {
    Machine machine;
    EXPECT_EQ(
        test::read_errors("network: {bandwidth: 0 B/s, latency: {value: -1 us, source: nobody}}\n"
                          "device: {memory: 80 GiB, fabric: {bandwidth: 1 GB/s, delay: 3 us}}\n"
                          "devices: 8\n",
                          machine),
        "t.yaml:1:22: error: network.bandwidth: '0 B/s' is out of range: must be above 0 B/s (per "
        "direction)\n"
        "t.yaml:1:46: error: network.latency.value: '-1 us' is out of range: must be at least 0 s (of one "
        "message)\n"
        "t.yaml:2:54: error: device.fabric.delay: 'delay' is called 'latency' now (of one message)");
}

TEST(Reader, WrongValuesLeaveTheDefaults) {
    Machine machine;
    EXPECT_NE(test::read_errors("{devices: x, efficiency: y, schedule: z}", machine), "");
    EXPECT_EQ(machine.devices, 8);
    EXPECT_EQ(machine.efficiency, 0.5);
    EXPECT_EQ(machine.schedule, Schedule::gpipe);
}

TEST(Reader, MissingKeysAreNamedWithTheirPath) {
    Machine machine;
    EXPECT_EQ(test::read_errors("name: x\n", machine),
              "t.yaml:1:1: error: devices: missing (it has no default)\n"
              "t.yaml:1:1: error: network.bandwidth: missing (it has no default)\n"
              "t.yaml:1:1: error: device: missing (it has no default)");
}

TEST(Reader, EmptyFileMissesItsRequiredKeys) {
    Link link;
    EXPECT_EQ(test::read_errors("# nothing\n", link),
              "t.yaml: error: bandwidth: missing (it has no default)");
}

TEST(Reader, SectionWithNothingInItMissesItsRequiredKeys) {
    Machine machine;
    EXPECT_EQ(test::read_errors("devices: 1\nnetwork:\ndevice: {memory: 1 B, fabric: }\n", machine),
              "t.yaml:2:1: error: network.bandwidth: missing (it has no default)\n"
              "t.yaml:3:23: error: device.fabric.bandwidth: missing (it has no default)");
}

TEST(Reader, KeyWithoutAValueIsAnError) {
    Link link;
    EXPECT_EQ(test::read_errors("bandwidth: 1 B/s\nlatency:\n", link),
              "t.yaml:2:1: error: latency: expected a quantity, found nothing");
}

TEST(Reader, WhatIsNoMapIsReportedOnce) {
    Machine machine;
    EXPECT_EQ(test::read_errors("[1, 2]\n", machine), "t.yaml:1:1: error: expected a map, found a list of 2");
    EXPECT_EQ(test::read_errors("hello\n", machine), "t.yaml:1:1: error: expected a map, found 'hello'");
}

// After a syntax error nothing is known of the rest: that keys are missing would be a guess.
TEST(Reader, UnreadableFileHasOnlyItsSyntaxError) {
    Machine machine;
    const std::string errors = test::read_errors("devices: [1\n", machine);
    EXPECT_THAT(errors, HasSubstr("cannot be parsed"));
    EXPECT_EQ(errors.find('\n'), std::string::npos) << errors;
}

TEST(Reader, OptionalSectionIsAKnownKeyWhereItIsAbsent) {
    Device device;
    EXPECT_EQ(test::read_errors("memory: 1 B\nfabrik: {}\n", device),
              "t.yaml:2:1: error: fabrik: unknown key 'fabrik' (did you mean 'fabric'?)");
}

TEST(Reader, UnknownKeyUnlikeAnyOtherListsThoseKnown) {
    Link link;
    EXPECT_EQ(test::read_errors("bandwidth: 1 B/s\nzzz: 1\n", link),
              "t.yaml:2:1: error: zzz: unknown key 'zzz' (known: bandwidth, latency)");
}

TEST(Reader, PathWithDotsIsShownAsNestedMaps) {
    Device device;
    EXPECT_EQ(test::read_errors("memory: 1 B\nfabric.links.speed: 1\n", device),
              "t.yaml:2:1: error: fabric.links.speed: unknown key 'fabric.links.speed' "
              "(in a file: fabric: {links: {speed: …}})");
    EXPECT_THAT(test::read_errors("memory: 1 B\nfabric: h100\nfabric.bandwidth: 1 B/s\n", device),
                HasSubstr("(in a file: fabric: {base: h100, bandwidth: …})"));
    EXPECT_THAT(test::read_errors("memory: 1 B\nfabrik.bandwidth: 1 B/s\n", device), HasSubstr("(known: "));
}

TEST(Reader, ValueWithItsSourceHoldsNothingElse) {
    Link link;
    EXPECT_EQ(
        test::read_errors("bandwidth: {value: 1 B/s, sorce: x, note: y}\n", link),
        "t.yaml:1:27: error: bandwidth.sorce: unknown key 'sorce' beside a value (did you mean 'source'?)");
    EXPECT_THAT(test::read_errors("bandwidth: {source: x}\n", link),
                HasSubstr("expected a quantity, found a map"));
    EXPECT_EQ(
        test::read_errors("bandwidth: {value: 1 B, source: x}\n", link),
        "t.yaml:1:20: error: bandwidth.value: '1 B' is in B, but B/s is needed (write it as in '400 Gbps')");
}

class ReaderWithLibrary : public testing::Test {
  protected:
    test::TemporaryFolder folder;
    Machine machine;

    ReaderWithLibrary() {
        folder.write("hardware/devices/h100.yaml",
                     "memory: 80 GiB\npower: 700 W\nfabric: {bandwidth: 450 GB/s, latency: 2 us}\n");
    }

    std::string errors(const std::string& device) {
        const Library library({folder.path()});
        return test::read_errors("devices: 8\nnetwork: {bandwidth: 1 B/s}\ndevice: " + device + "\n", machine,
                                 &library);
    }
};

TEST_F(ReaderWithLibrary, NameStandsForAFile) {
    ASSERT_EQ(errors("h100"), "");
    EXPECT_EQ(machine.device.memory, Bytes{85899345920.0});
    EXPECT_EQ(machine.device.fabric.latency, Seconds{2e-6});
}

TEST_F(ReaderWithLibrary, BaseAndWhatDiffers) {
    ASSERT_EQ(errors("{base: h100, power: 350 W, fabric: {bandwidth: 900 GB/s}}"), "");
    EXPECT_EQ(machine.device.memory, Bytes{85899345920.0});
    EXPECT_EQ(machine.device.power, Watts{350});
    EXPECT_EQ(machine.device.fabric.bandwidth, BytesPerSecond{9e11});
    EXPECT_EQ(machine.device.fabric.latency, Seconds{2e-6});
}

TEST_F(ReaderWithLibrary, WrittenInPlaceNeedsNoFile) {
    ASSERT_EQ(errors("{memory: 1 GiB}"), "");
    EXPECT_EQ(machine.device.memory, Bytes{1073741824.0});
}

TEST_F(ReaderWithLibrary, UnknownNameLeavesOneError) {
    EXPECT_EQ(errors("h10"),
              "t.yaml:3:9: error: device: no file 'h10' in hardware/devices (did you mean 'h100'?)");
}

TEST_F(ReaderWithLibrary, ErrorsOfOverridesStandWhereTheyAreWritten) {
    EXPECT_EQ(errors("{base: h100, powr: 350 W, fabric: {latency: 5}}"),
              "t.yaml:3:22: error: device.powr: unknown key 'powr' (did you mean 'power'?)\n"
              "t.yaml:3:53: error: device.fabric.latency: '5' has no unit (write it as in '5 us' or '2 s')");
}

TEST_F(ReaderWithLibrary, ErrorsOfTheFileStandInTheFile) {
    const std::string file = folder.write("hardware/devices/bad.yaml", "memory: 80\npower: 1 W\n");
    EXPECT_EQ(errors("bad"), file + ":1:9: error: memory: '80' has no unit (write it as in '80 GiB')");
    EXPECT_EQ(errors("{base: bad, power: 2 W}"),
              file + ":1:9: error: memory: '80' has no unit (write it as in '80 GiB')");
}

TEST_F(ReaderWithLibrary, NothingAtAllIsNoName) {
    EXPECT_EQ(
        errors(""),
        "t.yaml:3:1: error: device: expected the name of a file of hardware/devices or a map, found nothing");
    EXPECT_EQ(errors("[h100]"), "t.yaml:3:9: error: device: expected a map, found a list of 1");
}

TEST(Reader, NameWithoutALibraryIsAnError) {
    Machine machine;
    EXPECT_EQ(test::read_errors("{devices: 1, network: {bandwidth: 1 B/s}, device: h100}", machine),
              "t.yaml:1:51: error: device: no library of files to look this name up in");
    EXPECT_EQ(test::read_errors("{devices: 1, network: {bandwidth: 1 B/s}, device: {base: h100}}", machine),
              "t.yaml:1:58: error: device.base: no library of files to look this name up in");
}

TEST(Reader, TakenKeysAreKnownAndRaw) {
    const Node root = test::parse_right("{a: [1, 2], b: 1}");
    Diagnostics diagnostics;
    Reader reader(root, nullptr, diagnostics);
    ASSERT_NE(reader.take("a"), nullptr);
    EXPECT_EQ(reader.take("a")->items().size(), 2U);
    EXPECT_EQ(reader.take("c"), nullptr);
    EXPECT_EQ(&reader.node(), &root);
    EXPECT_EQ(reader.library(), nullptr);
    reader.finish();
    EXPECT_THAT(diagnostics.text(), HasSubstr("unknown key 'b'"));
    EXPECT_EQ(diagnostics.error_count(), 1U);
}

TEST(Reader, FillsAListItemByItem) {
    described::Fabric fabric;
    EXPECT_EQ(
        test::read_errors("levels: [{bandwidth: 1 GB/s}, {bandwidth: 2 GB/s, latency: 3 us}]\n", fabric), "");
    ASSERT_EQ(fabric.levels.size(), 2U);
    EXPECT_EQ(fabric.levels[0].bandwidth, BytesPerSecond{1e9});
    EXPECT_EQ(fabric.levels[1].latency, Seconds{3e-6});
    described::Fabric by_number;
    EXPECT_EQ(test::read_errors("levels: {0: {bandwidth: 4 GB/s}, 1: {bandwidth: 5 GB/s}}\n", by_number), "");
    EXPECT_EQ(by_number.levels[1].bandwidth, BytesPerSecond{5e9});
    described::Fabric empty;
    EXPECT_EQ(test::read_errors("", empty), "");
    EXPECT_EQ(empty.levels.size(), 0U);
}

TEST(Reader, ReportsWhatIsWrongWithAList) {
    described::Fabric fabric;
    EXPECT_THAT(test::read_errors("levels: [{bandwidth: 1 GB/s}, {bandwith: 2 GB/s}]\n", fabric),
                testing::AllOf(HasSubstr("levels.1.bandwidth: missing"),
                               HasSubstr("unknown key 'bandwith' (did you mean 'bandwidth'?)")));
    EXPECT_THAT(test::read_errors("levels: {bandwidth: 1 GB/s}\n", fabric),
                HasSubstr("expected a list of at most 2, found a map"));
    EXPECT_THAT(test::read_errors("levels: {0: {bandwidth: 1 GB/s}, 2: {bandwidth: 1 GB/s}}\n", fabric),
                HasSubstr("levels.2: no item of this list, which has 1"));
    EXPECT_THAT(test::read_errors("levels: [{}, {}, {}]\n", fabric), HasSubstr("a list of at most 2"));
}

TEST(Reader, ReadsRecordsHoweverMany) {
    described::Fabric fabric;
    std::string text = "cables:\n";
    for (int i = 0; i < 100; ++i) text += "  - {bandwidth: " + std::to_string(i + 1) + " GB/s}\n";
    EXPECT_EQ(test::read_errors(text, fabric), "");
    ASSERT_EQ(fabric.cables.size(), 100U);
    EXPECT_EQ(fabric.cables[41].bandwidth, BytesPerSecond{42e9});
    EXPECT_THAT(
        test::read_errors("cables: [{bandwidth: 1 GB/s}, {bandwith: 2 GB/s}]\n", fabric),
        testing::AllOf(HasSubstr("cables.1.bandwidth: missing"), HasSubstr("unknown key 'bandwith'")));
    EXPECT_THAT(test::read_errors("cables: 3\n", fabric), HasSubstr("expected a list"));
}

}  // namespace
}  // namespace dse::config
