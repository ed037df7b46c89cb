#include "dse/config/field_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/described.hpp"
#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::config {
namespace {

using described::Machine;
using described::Schedule;
using testing::ElementsAre;

struct Indexed {
    Machine machine;
    FieldIndex index;
    Indexed() { index.add("system", machine); }

    const FieldRef& at(std::string_view name) {
        const FieldRef* field = index.resolve(name);
        if (field == nullptr) throw std::runtime_error(index.why_unresolved(name));
        return *field;
    }
    std::string error_of(std::string_view name) {
        EXPECT_EQ(index.resolve(name), nullptr) << name;
        return index.why_unresolved(name);
    }
};

TEST(FieldIndex, ListsFieldsInTheOrderOfDescription) {
    Indexed indexed;
    std::vector<std::string> paths;
    for (const FieldRef& field : indexed.index.fields()) paths.push_back(field.info().path);
    EXPECT_THAT(paths, ElementsAre("system.name", "system.devices", "system.small", "system.efficiency",
                                   "system.overlap", "system.schedule", "system.network.bandwidth",
                                   "system.network.latency", "system.device.name", "system.device.memory",
                                   "system.device.power", "system.device.fabric.bandwidth",
                                   "system.device.fabric.latency"));
}

TEST(FieldIndex, EmptyRootLeavesPathsPlain) {
    described::Link link;
    FieldIndex index;
    index.add("", link);
    EXPECT_EQ(index.fields()[0].info().path, "bandwidth");
}

TEST(FieldIndex, SeveralStructsSideBySide) {
    described::Link a;
    described::Link b;
    FieldIndex index;
    index.add("a", a);
    index.add("b", b);
    index.resolve("b.latency")->assign(3.0);
    EXPECT_EQ(a.latency, Seconds{1e-6});
    EXPECT_EQ(b.latency, Seconds{3.0});
}

TEST(FieldIndex, FindsWholePathsOnly) {
    const Indexed indexed;
    ASSERT_NE(indexed.index.find("system.network.latency"), nullptr);
    EXPECT_EQ(indexed.index.find("system.network.latency")->info().path, "system.network.latency");
    EXPECT_EQ(indexed.index.find("network.latency"), nullptr);
}

TEST(FieldIndex, SetsAndReadsTheStruct) {
    Indexed indexed;
    indexed.at("devices").assign(16);
    indexed.at("small").assign(255);
    indexed.at("efficiency").assign(0.75);
    indexed.at("overlap").assign(1);
    indexed.at("schedule").assign(2);
    indexed.at("network.bandwidth").assign(5e10);
    indexed.at("system.name").assign_text("big");
    const Machine& machine = indexed.machine;
    EXPECT_EQ(machine.devices, 16);
    EXPECT_EQ(machine.small, 255);
    EXPECT_EQ(machine.efficiency, 0.75);
    EXPECT_TRUE(machine.overlap);
    EXPECT_EQ(machine.schedule, Schedule::interleaved);
    EXPECT_EQ(machine.network.bandwidth, BytesPerSecond{5e10});
    EXPECT_EQ(machine.name, "big");
    EXPECT_EQ(indexed.at("network.bandwidth").read(), 5e10);
    EXPECT_EQ(indexed.at("schedule").read(), 2.0);
    EXPECT_EQ(indexed.at("system.name").read_text(), "big");
}

TEST(FieldIndex, ResolvesByTheEndOfThePathAtDots) {
    Indexed indexed;
    EXPECT_EQ(indexed.at("memory").info().path, "system.device.memory");
    EXPECT_EQ(indexed.at("device.memory").info().path, "system.device.memory");
    EXPECT_EQ(indexed.at("system.device.memory").info().path, "system.device.memory");
    EXPECT_EQ(indexed.at("fabric.latency").info().path, "system.device.fabric.latency");
    EXPECT_NE(indexed.error_of("emory"), "");  // not at a dot
    EXPECT_NE(indexed.error_of(""), "");
    EXPECT_NE(indexed.error_of(".memory"), "");
    EXPECT_NE(indexed.error_of("device"), "");  // a struct, not a field
}

TEST(FieldIndex, AmbiguousNameIsAnErrorThatNamesAllCandidates) {
    Indexed indexed;
    EXPECT_EQ(
        indexed.error_of("latency"),
        "'latency' may be system.network.latency or system.device.fabric.latency (write more of the path)");
}

// A full path wins even where it ends another one.
TEST(FieldIndex, FullPathIsNeverAmbiguous) {
    described::Link outer;
    described::Link inner;
    FieldIndex index;
    index.add("a.link", inner);
    index.add("link", outer);
    const FieldRef* field = index.resolve("link.latency");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->info().path, "link.latency");
}

TEST(FieldIndex, ANameOfBeforeIsAnsweredWithTheNewOne) {
    Indexed indexed;
    EXPECT_EQ(indexed.error_of("delay"), "'delay' is called 'latency' now (of one message)");
    EXPECT_EQ(indexed.error_of("network.delay"), "'delay' is called 'latency' now (of one message)");
}

TEST(FieldIndex, UnknownNameIsAnsweredWithTheNearest) {
    Indexed indexed;
    EXPECT_EQ(indexed.error_of("memroy"), "no field is called 'memroy' (did you mean 'memory'?)");
    EXPECT_EQ(indexed.error_of("device.memroy"),
              "no field is called 'device.memroy' (did you mean 'device.memory'?)");
    EXPECT_EQ(indexed.error_of("system.netwrk.latency"),
              "no field is called 'system.netwrk.latency' (did you mean 'system.network.latency'?)");
    EXPECT_EQ(
        indexed.error_of("system.device.fabric.latenzy"),
        "no field is called 'system.device.fabric.latenzy' (did you mean 'system.device.fabric.latency'?)");
    EXPECT_EQ(
        indexed.error_of("system.device.fabric.latenzy.x"),
        "no field is called 'system.device.fabric.latenzy.x' (did you mean 'system.device.fabric.latency'?)");
    EXPECT_EQ(indexed.error_of("quux"), "no field is called 'quux'");
}

TEST(FieldIndex, WhatItSetsIsWhatParsingGives) {
    Indexed indexed;
    const FieldRef& latency = indexed.at("network.latency");
    Diagnostics diagnostics;
    latency.assign(parse_value(Node::scalar("7 us", "x", ""), latency.info(), diagnostics).value());
    EXPECT_EQ(indexed.machine.network.latency, Seconds{7e-6});
}

TEST(FieldIndex, NameOfALibraryFileIsAFieldThatSetsTheWholeStruct) {
    const test::TemporaryFolder folder;
    folder.write("hardware/devices/small.yaml", "name: small\nmemory: 1 GiB\npower: 10 W\n");
    folder.write("hardware/devices/broken.yaml", "memory: 5\n");
    const Library library({folder.path()});
    Machine machine;
    FieldIndex index(library);
    index.add("system", machine);
    const FieldRef* device = index.resolve("system.device");
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(device->info().type, FieldType::text);
    EXPECT_THAT(device->info().choices, ElementsAre("broken", "small"));
    device->assign_text("small");
    EXPECT_EQ(machine.device.memory, Bytes{1073741824});
    EXPECT_EQ(machine.device.power, Watts{10});
    EXPECT_EQ(device->read_text(), "small");
    EXPECT_THROW(device->assign_text("smal"), InputError);
    EXPECT_THROW(device->assign_text("broken"), InputError);
    EXPECT_EQ(machine.device.power, Watts{10});
}

TEST(FieldIndex, NumbersTheItemsOfAList) {
    described::Fabric fabric;  // the list is empty as yet
    FieldIndex index;
    index.add("network", fabric);
    const FieldRef* field = index.resolve("levels.1.latency");
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->info().path, "network.levels.1.latency");
    field->assign(5e-6);
    EXPECT_EQ(fabric.levels[1].latency, Seconds{5e-6});
    EXPECT_EQ(index.resolve("levels.2.latency"), nullptr);
}

}  // namespace
}  // namespace dse::config
