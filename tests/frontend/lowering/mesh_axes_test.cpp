#include "frontend/lowering/mesh_axes.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using ir::DeviceGroups;

DevicePartition rows(const DeviceGroups& groups, std::int64_t devices) {
    return groups.members(devices);
}

TEST(MeshAxes, RowsAndColumnsAreTwoAxes) {
    // [2,4]<=[8]: {0,1,2,3}, {4,5,6,7}; [4,2]<=[2,4]T(1,0): {0,4}, {1,5}, {2,6}, {3,7}.
    const DevicePartition inner = rows(DeviceGroups::iota(2, 4, {8}, {}), 8);
    const DevicePartition outer = rows(DeviceGroups::iota(4, 2, {2, 4}, {1, 0}), 8);
    const MeshAxes axes(std::array{inner, outer}, 8);
    EXPECT_EQ(axes.axes(), (std::vector<MeshAxes::Axis>{{1, 4}, {4, 2}}));
    EXPECT_EQ(axes.axes_of(inner), AxisSet{MeshAxis::tensor});
    EXPECT_EQ(axes.axes_of(outer), AxisSet{MeshAxis::data});
    const graph::Mesh mesh = axes.mesh();
    EXPECT_EQ(mesh.ranks(), 8);
    EXPECT_EQ(mesh.group(MeshAxis::tensor, 5), (std::vector<std::int64_t>{4, 5, 6, 7}));
    EXPECT_EQ(mesh.group(MeshAxis::data, 5), (std::vector<std::int64_t>{1, 5}));
    EXPECT_EQ(axes.axes_of({{0, 1, 2, 3, 4, 5, 6, 7}}), AxisSet{MeshAxis::tensor} | MeshAxis::data);
}

TEST(MeshAxes, AGroupMaySkipAnAxisInTheMiddle) {
    // {0,1,4,5}, {2,3,6,7}: the first and the third digit of 2 × 2 × 2.
    const DevicePartition ends{{0, 1, 4, 5}, {2, 3, 6, 7}};
    const MeshAxes axes(std::array{ends}, 8);
    EXPECT_EQ(axes.axes(), (std::vector<MeshAxes::Axis>{{1, 2}, {2, 2}, {4, 2}}));
    EXPECT_EQ(axes.axes_of(ends), AxisSet{MeshAxis::tensor} | MeshAxis::data);
    EXPECT_EQ(axes.mesh().group(AxisSet{MeshAxis::tensor} | MeshAxis::data, 2),
              (std::vector<std::int64_t>{2, 3, 6, 7}));
}

TEST(MeshAxes, OneAxisHasTheNameThatItIsGiven) {
    const DevicePartition all{{0, 1, 2, 3}};
    MeshAxes axes(std::array{all}, 4);
    EXPECT_EQ(axes.axes_of(all), AxisSet{MeshAxis::tensor});
    axes.assign(MeshAxis::data);
    EXPECT_EQ(axes.axes_of(all), AxisSet{MeshAxis::data});
    EXPECT_EQ(axes.mesh().degree(MeshAxis::data), 4);
    EXPECT_EQ(axes.mesh().degree(MeshAxis::expert_data), 4);
}

TEST(MeshAxes, ASingleDeviceHasNone) {
    const MeshAxes axes({}, 1);
    EXPECT_TRUE(axes.axes().empty());
    EXPECT_EQ(axes.mesh().ranks(), 1);
    EXPECT_TRUE(axes.axes_of({{0}}).empty());
}

TEST(MeshAxes, RefusesWhatIsNoGridByName) {
    const auto refuse = [](const DevicePartition& partition, std::int64_t devices) {
        return test::error_message<ModelError>([&] { MeshAxes(std::array{partition}, devices); });
    };
    EXPECT_NE(refuse({{0, 1, 3}, {2, 4, 5}}, 6).find("0,1,3"), std::string::npos);
    EXPECT_NE(refuse({{0, 1}, {2}, {3}}, 4).find("no rows of a grid"), std::string::npos);
    EXPECT_NE(refuse({{0, 1}, {2, 4}, {3, 5}}, 6).find("2,4"), std::string::npos);
}

TEST(MeshAxes, FindsEveryGridAgain) {
    // Any choice of digits of a random grid is found as axes whose groups are the same ones.
    std::mt19937 random{17};
    for (int round = 0; round < 200; ++round) {
        std::vector<std::int64_t> sizes;
        std::int64_t devices = 1;
        for (std::size_t i = 0; i < 1 + random() % 4; ++i) {
            sizes.push_back(2 + static_cast<std::int64_t>(random() % 3));
            devices *= sizes.back();
        }
        const auto digit = [&](std::int64_t device, std::size_t axis) {
            for (std::size_t i = 0; i < axis; ++i) device /= sizes[i];
            return device % sizes[axis];
        };
        std::vector<DevicePartition> partitions;
        for (unsigned chosen = 1; chosen < (1U << sizes.size()); ++chosen) {
            std::vector<std::vector<std::int64_t>> groups(static_cast<std::size_t>(devices));
            for (std::int64_t device = 0; device < devices; ++device) {
                std::int64_t number = 0;
                for (std::size_t i = 0; i < sizes.size(); ++i)
                    number = number * sizes[i] + ((chosen >> i & 1U) != 0 ? 0 : digit(device, i));
                groups[static_cast<std::size_t>(number)].push_back(device);
            }
            std::erase_if(groups, [](const auto& group) { return group.empty(); });
            partitions.push_back(std::move(groups));
        }
        const MeshAxes axes(partitions, devices);
        const graph::Mesh mesh = axes.mesh();
        ASSERT_EQ(mesh.ranks(), devices);
        for (const DevicePartition& partition : partitions) {
            const AxisSet set = axes.axes_of(partition);
            for (const auto& group : partition) {
                ASSERT_EQ(mesh.group(set, group.front()), group);
            }
        }
    }
}

}  // namespace
}  // namespace dse::frontend
