#include "dse/results/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

TEST(MemorySink, HoldsWhatWasFlushed) {
    MemorySink sink;
    const std::vector<space::Record> records{sample_record(3), sample_record(1)};
    sink.write(records);
    sink.cover({1, 3, 2});
    EXPECT_TRUE(sink.records().empty());
    sink.flush();
    ASSERT_EQ(sink.records().size(), 2U);
    EXPECT_EQ(sink.records()[0].point.id, 3U);
    EXPECT_THAT(sink.coverage(), testing::ElementsAre(Coverage{1, 3, 2}));
}

}  // namespace
}  // namespace dse::results::test
