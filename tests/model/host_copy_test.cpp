#include "dse/model/host_copy.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

TEST(CopyTime, is_size_over_bandwidth) {
    hardware::HostSpec host;
    host.bandwidth = BytesPerSecond{50e9};
    EXPECT_SOFT_EQ(Seconds{0.02}, copy_time({Bytes{1e9}}, host));
}

TEST(CopyTime, needs_a_path_to_host_memory) {
    EXPECT_THROW(static_cast<void>(copy_time({Bytes{1.0}}, {})), ModelError);
    EXPECT_EQ(copy_time({Bytes{}}, {}), Seconds{});
}

TEST(UpdateTime, is_all_that_is_read_and_written_over_the_hosts_bandwidth) {
    hardware::HostSpec host;
    host.memory_bandwidth = BytesPerSecond{40e9};
    EXPECT_SOFT_EQ(Seconds{0.75}, update_time({Bytes{16e9}, Bytes{14e9}}, host));
    EXPECT_EQ(update_time({}, {}), Seconds{});
    EXPECT_THROW(static_cast<void>(update_time({Bytes{1.0}, Bytes{}}, {})), ModelError);
}

}  // namespace
}  // namespace dse::model
