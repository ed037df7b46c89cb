#include "dse/trace/chakra/trace_dot.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;
using ::testing::HasSubstr;
using ::testing::Not;

std::string dot_of(const WrittenTrace& written, const DrawnNodes& drawn = {}) {
    const dse::test::TemporaryFolder folder;
    std::ostringstream stream;
    write_dot(written.write(folder, "t.et"), drawn, stream);
    return stream.str();
}

/// 1 -> 2 -> … -> 6
WrittenTrace chain() {
    WrittenTrace written;
    for (std::uint64_t id = 1; id <= 6; ++id)
        written.add(id, "n", wire::COMP_NODE,
                    id > 1 ? std::vector<std::uint64_t>{id - 1} : std::vector<std::uint64_t>{});
    return written;
}

TEST(TraceDot, WritesNodesAndDependencies) {
    WrittenTrace written;
    wire::Node& kernel = written.add(3, "layer/mlp", wire::COMP_NODE, {});
    kernel.set_duration_micros(12);
    attribute(kernel, "num_ops").set_int64_val(100);
    wire::Node& reduction = written.add(7, "a \"b\"\\\nc", wire::COMM_COLL_NODE, {3});
    reduction.add_control_dependencies(3);
    attribute(reduction, "comm_type").set_int64_val(0);
    attribute(reduction, "comm_size").set_int64_val(64);
    attribute(reduction, "pg_name").set_string_val("tp");
    EXPECT_EQ(dot_of(written),
              "digraph trace {\n"
              "  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=10];\n"
              "  3 [label=\"3: layer/\\nmlp\\ncomp, 100 ops, 12 us\", fillcolor=\"#cfe3f5\"];\n"
              "  7 [label=\"7: a \\\"b\\\"\\\\\\nc\\nall_reduce in tp, 64 B\", fillcolor=\"#fadcc3\"];\n"
              "  3 -> 7;\n"
              "  3 -> 7 [style=dashed];\n"
              "}\n");
}

TEST(TraceDot, DrawsTheNeighboursOfANode) {
    const std::string dot = dot_of(chain(), {.around = 4, .steps = 1});
    EXPECT_THAT(dot, Not(HasSubstr("  2 [")));
    EXPECT_THAT(dot,
                HasSubstr("  3 [label=\"3: n\\ncomp\", fillcolor=\"#cfe3f5\", style=\"filled,dashed\"];"));
    EXPECT_THAT(dot,
                HasSubstr("  5 [label=\"5: n\\ncomp\", fillcolor=\"#cfe3f5\", style=\"filled,dashed\"];"))
        << "6 waits for it";
    EXPECT_THAT(dot, HasSubstr("  3 -> 4;\n  4 -> 5;\n}"));
    EXPECT_THAT(dot_of(chain(), {.around = 4, .steps = 0}), Not(HasSubstr("->")));
    EXPECT_EQ(dot_of(chain(), {.around = 4, .steps = 9}), dot_of(chain()));
}

TEST(TraceDot, RefusesMoreNodesThanCanBeRead) {
    EXPECT_NO_THROW((void)dot_of(chain(), {.most = 6}));
    EXPECT_THROW((void)dot_of(chain(), {.most = 5}), InputError);
    EXPECT_THROW((void)dot_of(chain(), {.around = 4, .steps = 3, .most = 5}), InputError);
    EXPECT_THROW((void)dot_of(chain(), {.around = 8}), InputError);
}

/// Damaged traces are drawn as they are: a cycle, and a node that waits for one that is missing.
TEST(TraceDot, DrawsDamagedTraces) {
    WrittenTrace written;
    written.add(1, "a", wire::COMP_NODE, {2, 9});
    written.add(2, "b", wire::COMP_NODE, {1});
    const std::string dot = dot_of(written, {.around = 1, .steps = 5});
    EXPECT_THAT(dot, HasSubstr("  2 -> 1;\n"));
    EXPECT_THAT(dot, HasSubstr("  1 -> 2;\n"));
    EXPECT_THAT(dot, HasSubstr("style=\"filled,dashed\""));
}

}  // namespace
}  // namespace dse::trace::chakra
