#include "eval/serve/host_room.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/serve/served_scenario.hpp"
#include "support/soft_equal.hpp"

namespace dse::eval {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Pages of 16 tokens and 1 MB, over a link of 50 GB/s.
class HostMemory : public ::testing::Test {
  protected:
    HostMemory() {
        scenario_.system.cluster.host.bandwidth = BytesPerSecond{50e9};
        scenario_.system.cluster.host.capacity = Bytes{100e9};
        scenario_.workload.serving.kv_block = 16;
        room_.page_bytes = 1e6;
    }
    void set_size(double bytes) { scenario_.workload.engine.host_cache = Bytes{bytes}; }

    study::Scenario scenario_ = served_scenario();
    CacheRoom room_;
};

TEST_F(HostMemory, KeepsWholePages) {
    set_size(10.5e6);
    const HostRoom room = host_room(scenario_, room_);
    EXPECT_EQ(room.pages, 10);
    EXPECT_SOFT_EQ(room.copy_time, 1e6 / 16.0 / 50e9);
}

/// Of hosts whose capacity is not known.
TEST_F(HostMemory, MayBeAsLargeAsAnyNumber) {
    scenario_.system.cluster.host.capacity = Bytes{0.0};
    set_size(1e300);
    EXPECT_GT(host_room(scenario_, room_).pages, std::int64_t{1} << 40);
}

TEST_F(HostMemory, IsNotUsedUnlessAskedFor) {
    scenario_.system.cluster.host.bandwidth = BytesPerSecond{0.0};
    EXPECT_EQ(host_room(scenario_, room_).pages, 0);
}

TEST_F(HostMemory, MustExist) {
    set_size(200e9);
    EXPECT_THAT([&] { return host_room(scenario_, room_); },
                ThrowsMessage<ModelError>(HasSubstr("93.13 GiB for each")));
    set_size(0.5e6);
    EXPECT_THAT([&] { return host_room(scenario_, room_); },
                ThrowsMessage<ModelError>(HasSubstr("488.3 KiB a device, and a page of 16 tokens")));
    set_size(50e9);
    scenario_.system.cluster.host.bandwidth = BytesPerSecond{0.0};
    EXPECT_THAT([&] { return host_room(scenario_, room_); },
                ThrowsMessage<ModelError>(HasSubstr("no host.bandwidth")));
}

}  // namespace
}  // namespace dse::eval
