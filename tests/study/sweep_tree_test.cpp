#include "study/sweep_tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/space/sweep_spec.hpp"
#include "dse/study/scenario.hpp"
#include "support/yaml.hpp"

namespace dse::study {
namespace {

using config::Node;
using testing::HasSubstr;

class SweepTreeTest : public testing::Test {
  protected:
    SweepTreeTest() { fields_.add("", scenario_); }

    [[nodiscard]] std::vector<std::string> stated(const std::string& yaml) const {
        return stated_fields(test::parse_right(yaml), fields_);
    }

    config::Library library_{config::Library::standard("")};
    Scenario scenario_;
    config::FieldIndex fields_{library_};
};

using Paths = std::vector<std::string>;

TEST_F(SweepTreeTest, StatedIsWhatTheFileGivesAValueTo) {
    EXPECT_EQ(stated("workload: {tp: 2, model: m}\nsystem: {devices: {value: 4, source: s}}"),
              (Paths{"workload.model", "workload.tp", "system.devices"}));
    EXPECT_EQ(stated("axes: {tp: [1]}"), Paths{});
}

TEST_F(SweepTreeTest, StatedBesideTheNameOfAFile) {
    EXPECT_EQ(stated("system: {cluster: {base: c, network: {scale_out: {bandwidth: 1 GB/s}}}}"),
              (Paths{"system.cluster", "system.cluster.network.scale_out.bandwidth"}));
    EXPECT_EQ(stated("system: {cluster: {base: c, device: {memory: {capacity: 1 GiB}}}}"),
              (Paths{"system.cluster", "system.cluster.device.memory.capacity"}))
        << "fields of the device that the base brings";
    EXPECT_EQ(stated("system: {cluster: {devices_per_node: 4}}"), Paths{}) << "stands in the place of a file";
}

TEST_F(SweepTreeTest, FieldsOfAPresetStandBesideIt) {
    EXPECT_EQ(stated("workload: {stack: {base: s, zero: 3, source: x}}"),
              (Paths{"workload.stack", "workload.zero"}));
}

TEST_F(SweepTreeTest, SettingBesideTheNameOfAFile) {
    config::Diagnostics diagnostics;
    const Node root = with_settings(test::parse_right("system: {cluster: c}"), {{"devices_per_node", "4"}},
                                    fields_, diagnostics);
    const Node* cluster = root.find("system")->find("cluster");
    EXPECT_EQ(cluster->find("base")->text(), "c");
    EXPECT_EQ(cluster->find("devices_per_node")->text(), "4");
    EXPECT_EQ(cluster->find("devices_per_node")->path(), "system.cluster.devices_per_node");
    EXPECT_TRUE(diagnostics.ok());
}

TEST_F(SweepTreeTest, SettingOfASectionThatIsNotThere) {
    config::Diagnostics diagnostics;
    const Node root =
        with_settings(test::parse_right("name: t"), {{"engine", "event"}}, fields_, diagnostics);
    EXPECT_EQ(root.find("fidelity")->find("engine")->text(), "event");
    EXPECT_EQ(root.find("name")->text(), "t");
}

TEST_F(SweepTreeTest, SettingOfAnAxisByAnyOfItsNames) {
    for (const char* key : {"scale_out.bandwidth", "network.scale_out.bandwidth"}) {
        config::Diagnostics diagnostics;
        const Node root =
            with_settings(test::parse_right("axes: {scale_out.bandwidth: [1 GB/s], free: [1, 2]}"),
                          {{key, "2 GB/s"}}, fields_, diagnostics);
        EXPECT_EQ(root.find("axes")->find("scale_out.bandwidth")->text(), "2 GB/s");
        EXPECT_EQ(root.find("axes")->entries().size(), 2U);
    }
    config::Diagnostics diagnostics;
    const Node root =
        with_settings(test::parse_right("axes: {free: [1, 2]}"), {{"free", "2"}}, fields_, diagnostics);
    EXPECT_EQ(root.find("axes")->find("free")->text(), "2") << "an axis that sets no field";
}

TEST_F(SweepTreeTest, SettingOfAJointAxisCallsARecord) {
    const Node sweep = test::parse_right("axes: {layout: [{tp: 8, pp: 1}, {tp: 4, pp: 2}]}");
    config::Diagnostics diagnostics;
    const Node root = with_settings(sweep, {{"layout", "tp=4, pp=2"}}, fields_, diagnostics);
    EXPECT_EQ(root.find("axes")->find("layout")->find("pp")->text(), "2");
    EXPECT_TRUE(diagnostics.ok());
    static_cast<void>(with_settings(sweep, {{"layout", "tp=4"}}, fields_, diagnostics));
    EXPECT_THAT(diagnostics.text(), HasSubstr("no record is called 'tp=4'"));
    static_cast<void>(with_settings(sweep, {{"workload.tp", "2"}}, fields_, diagnostics));
    EXPECT_THAT(diagnostics.text(), HasSubstr("set by the records of the axis 'layout'"));
    config::Diagnostics beside;
    EXPECT_EQ(with_settings(sweep, {{"zero", "1"}}, fields_, beside).find("workload")->find("zero")->text(),
              "1");
    EXPECT_TRUE(beside.ok()) << beside.text();
}

TEST_F(SweepTreeTest, SettingOfADerivedValueChoosesPointsByIt) {
    const Node sweep = test::parse_right("derive: {stack: \"'a' if tp > 1 else 'b'\", dp: 8 / tp}");
    const auto demand = [&](const Setting& setting) {
        config::Diagnostics diagnostics;
        const Node root = with_settings(sweep, {setting}, fields_, diagnostics);
        const Node* demanded = root.find(space::demanded_key);
        return demanded != nullptr ? demanded->text() : diagnostics.text();
    };
    EXPECT_EQ(demand({"dp", "4"}), "dp == 4");
    EXPECT_EQ(demand({"stack", "./a.yaml"}), "stack == './a.yaml'");
    EXPECT_THAT(demand({"stack", "a' or 'a' == 'a"}), HasSubstr("no derived name has quotes"));
    EXPECT_THAT(demand({"dp", "four"}), HasSubstr("dp"));
}

TEST_F(SweepTreeTest, TwoSettingsOfOneThingAreAnErrorThatNamesBoth) {
    const Node root = test::parse_right("axes: {scale_out.bandwidth: [1 GB/s], free: [1, 2]}");
    const auto complaint = [&](const std::vector<Setting>& settings) {
        config::Diagnostics diagnostics;
        static_cast<void>(with_settings(root, settings, fields_, diagnostics));
        return diagnostics.text();
    };
    EXPECT_THAT(complaint({{"free", "1"}, {"tp", "4"}, {"free", "2"}}),
                HasSubstr("free: is set twice: free=1 and free=2"));
    EXPECT_THAT(complaint({{"tp", "1"}, {"workload.tp", "2"}}), HasSubstr("tp=1 and workload.tp=2"));
    EXPECT_THAT(complaint({{"scale_out.bandwidth", "1 GB/s"}, {"network.scale_out.bandwidth", "2 GB/s"}}),
                HasSubstr("scale_out.bandwidth=1 GB/s and network.scale_out.bandwidth=2 GB/s"));
    EXPECT_EQ(complaint({{"tp", "1"}, {"pp", "1"}, {"free", "1"}}), "");
}

TEST_F(SweepTreeTest, AxisGivesItsFirstValueWhereNoneStands) {
    const Node root = with_axis_values(
        test::parse_right("workload: {tp: 4}\nsystem: {}\n"
                          "axes: {tp: [1, 2], pp: {from: 2, to: 4}, microbatch: 3, devices: [8],\n"
                          "       scale_out.bandwidth: [1 GB/s], free: [7], zero: []}"),
        fields_);
    const Node& workload = *root.find("workload");
    EXPECT_EQ(workload.find("tp")->text(), "4") << "stated";
    EXPECT_EQ(workload.find("pp")->text(), "2");
    EXPECT_EQ(workload.find("microbatch")->text(), "3");
    EXPECT_EQ(root.find("system")->find("devices")->text(), "8");
    EXPECT_EQ(root.find("system")->find("cluster"), nullptr) << "files say what is below them";
    EXPECT_EQ(workload.find("zero"), nullptr);
}

TEST_F(SweepTreeTest, AxesAloneMayStateTheSystem) {
    for (const char* axes : {"{cluster: [a, b], devices: [8, 16]}",
                             "{machine: [{cluster: a, devices: 8}, {cluster: b, devices: 16}]}"}) {
        const Node root = with_axis_values(test::parse_right(fmt::format("axes: {}", axes)), fields_);
        ASSERT_NE(root.find("system"), nullptr) << axes;
        EXPECT_EQ(root.find("system")->find("cluster")->text(), "a");
        EXPECT_EQ(root.find("system")->find("devices")->text(), "8");
    }
}

TEST_F(SweepTreeTest, DerivedDevicesNeedNotBeStated) {
    for (const char* key : {"devices", "system.devices"}) {
        const Node root = with_axis_values(
            test::parse_right(fmt::format("system: {{}}\naxes: {{tp: [1, 2]}}\nderive: {{{}: 8 * tp}}", key)),
            fields_);
        ASSERT_NE(root.find("system")->find("devices"), nullptr) << key;
    }
    const Node stated = with_axis_values(
        test::parse_right("system: {devices: 4}\naxes: {tp: [1, 2]}\nderive: {devices: 8 * tp}"), fields_);
    EXPECT_EQ(stated.find("system")->find("devices")->text(), "4");
}

TEST_F(SweepTreeTest, FieldsBesideAnAxisOfFilesStandOnItsFirst) {
    const Node root = with_axis_values(
        test::parse_right("system: {cluster: {devices_per_node: 4}}\naxes: {cluster: [a, b]}"), fields_);
    EXPECT_EQ(root.find("system")->find("cluster")->find("base")->text(), "a");
    EXPECT_EQ(stated_fields(root, fields_), (Paths{"system.cluster", "system.cluster.devices_per_node"}));
}

}  // namespace
}  // namespace dse::study
