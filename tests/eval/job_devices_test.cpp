#include "eval/job_devices.hpp"

#include <gmock/gmock.h>

namespace dse::eval {
namespace {

using graph::MeshAxis;
using testing::ElementsAre;

/// Two tensor-parallel ranks on each of four stages; device memories of 80, 40 and 20 bytes.
class JobDevicesTest : public testing::Test {
  protected:
    JobDevicesTest() {
        mesh_.set_degree(MeshAxis::tensor, 2);
        mesh_.set_degree(MeshAxis::pipeline, 4);
        system_.devices = 8;
        system_.cluster.device.memory.capacity = Bytes{80.0};
        system_.device_classes.resize(2);
        system_.device_classes[0].device.memory.capacity = Bytes{40.0};
        system_.device_classes[1].device.memory.capacity = Bytes{20.0};
    }
    graph::Mesh mesh_;
    hardware::SystemSpec system_;
};

TEST_F(JobDevicesTest, stages_that_have_one_class_each) {
    system_.device_classes[0].ranks = {.number = 2, .first_rank = 2};
    system_.device_classes[1].ranks = {.number = 2, .first_rank = 6};
    const JobDevices devices{system_, mesh_};
    EXPECT_FALSE(devices.differ_within_a_stage());
    EXPECT_THAT(devices.of_stage(), ElementsAre(0, 1, 0, 2));
    EXPECT_THAT(devices.of_rank(), ElementsAre(0, 0, 1, 1, 0, 0, 2, 2));
    EXPECT_EQ(devices.capacity(1), Bytes{40.0});
    EXPECT_EQ(devices.capacity(2), Bytes{80.0});
    EXPECT_EQ(device_of_class(system_, 2).memory.capacity, Bytes{20.0});
    EXPECT_EQ(device_of_class(system_, 0).memory.capacity, Bytes{80.0});
}

TEST_F(JobDevicesTest, a_stage_of_several_classes_has_the_memory_of_the_smallest) {
    system_.device_classes[0].ranks = {.number = 4, .first_rank = 1, .rank_stride = 2};
    system_.device_classes[1].ranks = {.number = 1, .first_rank = 4};
    const JobDevices devices{system_, mesh_};
    EXPECT_TRUE(devices.differ_within_a_stage());
    EXPECT_THAT(devices.of_rank(), ElementsAre(0, 1, 0, 1, 2, 1, 0, 1));
    EXPECT_EQ(devices.capacity(0), Bytes{40.0});
    EXPECT_EQ(devices.capacity(2), Bytes{20.0});
}

}  // namespace
}  // namespace dse::eval
