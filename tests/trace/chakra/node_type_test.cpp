#include "dse/trace/chakra/node_type.hpp"

#include <gtest/gtest.h>

#include "chakra/execution_trace.pb.h"

namespace dse::trace::chakra {
namespace {

TEST(NodeType, HasTheSchemasNumbers) {
    EXPECT_EQ(static_cast<int>(NodeType::comm_coll), wire::COMM_COLL_NODE);
    EXPECT_EQ(static_cast<int>(NodeType::mem_load), wire::MEM_LOAD_NODE);
    EXPECT_EQ(name(NodeType::comm_recv), "comm_recv");
    EXPECT_EQ(name(CommType::all_to_all), "all_to_all");
    EXPECT_EQ(name(CommType{9}), "barrier");
    EXPECT_EQ(name(CommType::unknown), "unknown");
}

}  // namespace
}  // namespace dse::trace::chakra
