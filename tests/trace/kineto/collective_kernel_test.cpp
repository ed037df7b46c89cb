#include "trace/kineto/collective_kernel.hpp"

#include <gtest/gtest.h>

namespace dse::trace::kineto {
namespace {

using chakra::CommType;

TEST(CollectiveKernel, IsKnownByItsName) {
    EXPECT_TRUE(is_collective_kernel("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)"));
    EXPECT_TRUE(is_collective_kernel("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL"));
    EXPECT_FALSE(is_collective_kernel("void gemm_kernel<nccl>"));
    EXPECT_EQ(comm_type("all_reduce"), CommType::all_reduce);
    EXPECT_EQ(comm_type("_allgather_base"), CommType::all_gather);
    EXPECT_EQ(comm_type("reduce_scatter_tensor_coalesced"), CommType::reduce_scatter);
    EXPECT_EQ(comm_type("all_to_allv"), CommType::all_to_all);
    EXPECT_EQ(comm_type("ncclKernel_Broadcast_RING_LL_Sum_int8_t"), CommType::broadcast);
    EXPECT_EQ(comm_type("reduce"), CommType::reduce);
    EXPECT_EQ(comm_type("send"), CommType::unknown);
}

TEST(CollectiveKernel, TrustsTheNearestNote) {
    DeviceWork kernel;
    kernel.name = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t";
    EXPECT_EQ(collective_work(kernel, nullptr).kind, CommType::unknown);
    const CollectiveNote around{"all_to_all", "", {}, 64, std::nullopt};
    EXPECT_EQ(collective_work(kernel, &around).kind, CommType::all_to_all);
    EXPECT_EQ(collective_work(kernel, &around).bytes, 64);
    kernel.collective = CollectiveNote{"allgather", "3", {0, 1}, 8, 16};
    const CollectiveWork own = collective_work(kernel, &around);
    EXPECT_EQ(own.kind, CommType::all_gather);
    EXPECT_EQ(own.bytes, 8);
    EXPECT_EQ(own.group, "3");
}

}  // namespace
}  // namespace dse::trace::kineto
