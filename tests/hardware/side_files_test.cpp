#include "dse/hardware/side_files.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace dse::hardware {
namespace {

TEST(SideFiles, NoneOfASystemFromOneFile) {
    EXPECT_EQ(side_files(SystemSpec{}), std::set<std::string>{});
}

TEST(SideFiles, OfAllDevicesAndCollectives) {
    const test::TemporaryFolder folder;
    const auto rows = std::make_shared<const std::vector<MeasuredRow>>(1);
    SystemSpec system;
    system.cluster.device.table.rows_path = "usual.csv";
    system.cluster.device.table.rows = rows;
    system.device_classes.resize(1);
    system.device_classes[0].device.table.rows_path = "other.csv";
    system.device_classes[0].device.table.rows = rows;
    system.device_classes[0].device.learned.trees = std::make_shared<const TreeFile>("other.trees");
    // Numbers of trace files begin at 0 and leave none out.
    for (const char* name : {"ring.0.et", "ring.1.et", "ring.3.et"}) folder.write(name, "");
    const std::string prefix = folder.write("ring.0.et", "");
    system.cluster.network.collective.schedules.resize(1);
    system.cluster.network.collective.schedules[0].prefix = prefix.substr(0, prefix.size() - 5);
    EXPECT_EQ(side_files(system), (std::set<std::string>{"usual.csv", "other.csv", "other.trees", prefix,
                                                         prefix.substr(0, prefix.size() - 4) + "1.et"}));
}

}  // namespace
}  // namespace dse::hardware
