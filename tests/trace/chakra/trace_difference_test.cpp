#include "dse/trace/chakra/trace_difference.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "built_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::read_back;
using test::WrittenTrace;

struct Made {
    std::string name;
    std::vector<std::size_t> data;
    std::int64_t ops{1};
};

/// The same nodes with these ids, in this order.
RankTrace trace_of(const std::vector<Made>& nodes, const std::vector<std::uint64_t>& ids,
                   const std::vector<std::size_t>& order) {
    WrittenTrace written;
    for (const std::size_t n : order) {
        std::vector<std::uint64_t> data;
        for (const std::size_t other : nodes[n].data) data.push_back(ids[other]);
        attribute(written.add(ids[n], nodes[n].name, wire::COMP_NODE, data), "num_ops")
            .set_int64_val(nodes[n].ops);
    }
    return read_back(written);
}

RankTrace trace_of(const std::vector<Made>& nodes) {
    std::vector<std::uint64_t> ids(nodes.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0);
    return trace_of(nodes, ids, order);
}

TraceDifference difference(const std::vector<Made>& first, const std::vector<Made>& second) {
    return compare(trace_of(first), trace_of(second), Durations::compared);
}

TEST(TraceDifference, IdsAndOrderMakeNone) {
    std::mt19937 random{4};
    for (int round = 0; round < 50; ++round) {
        std::vector<Made> nodes(1 + random() % 20);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            nodes[n].name = std::string(1, static_cast<char>('a' + random() % 4));
            nodes[n].ops = random() % 3;
            for (std::size_t other = 0; other < n; ++other) {
                if (random() % 4 == 0) nodes[n].data.push_back(other);
            }
        }
        std::vector<std::uint64_t> ids(nodes.size());
        std::iota(ids.begin(), ids.end(), 100);
        std::shuffle(ids.begin(), ids.end(), random);
        std::vector<std::size_t> order(nodes.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        const RankTrace plain = trace_of(nodes);
        const TraceDifference same = compare(plain, trace_of(nodes, ids, order), Durations::compared);
        EXPECT_TRUE(same.none());
        EXPECT_EQ(same.equal, nodes.size());
        nodes[random() % nodes.size()].ops = 7;
        EXPECT_FALSE(compare(plain, trace_of(nodes, ids, order), Durations::compared).none());
    }
}

TEST(TraceDifference, NamesTheNodeThatChangedAndNotThoseBehindIt) {
    const TraceDifference d =
        difference({{"a", {}}, {"b", {0}}, {"c", {1}}}, {{"a", {}, 5}, {"b", {0}}, {"c", {1}}});
    EXPECT_EQ(d.equal, 2U);
    EXPECT_EQ(d.changed, 1U);
    EXPECT_EQ(d.examples, std::vector<std::string>{"record 2 (node 0 'a'): num_ops 1 -> 5"});
}

TEST(TraceDifference, FindsNodesThatAreGoneAndThatWaitForOthers) {
    const TraceDifference d =
        difference({{"a", {}}, {"b", {0}}, {"c", {0}}}, {{"a", {}}, {"c", {}}, {"x", {}}});
    EXPECT_EQ(d.equal, 1U);
    EXPECT_EQ(d.rewired, 1U);
    EXPECT_EQ(d.only_first, 1U);
    EXPECT_EQ(d.only_second, 1U);
    EXPECT_EQ(d.examples,
              (std::vector<std::string>{"record 4 (node 2 'c') waits for a; in the second for nothing",
                                        "only in the first: record 3 (node 1 'b')",
                                        "only in the second: record 4 (node 2 'x')"}));
}

/// Both chains have equal names, and each end its own head: only the whole history tells the two apart.
TEST(TraceDifference, SeesNodesOfOneNameThatWereSwapped) {
    const std::vector<Made> first{{"head", {}, 1}, {"head", {}, 2}, {"m", {0}},
                                  {"m", {1}},      {"x", {2}},      {"y", {3}}};
    std::vector<Made> second = first;
    std::swap(second[4].data, second[5].data);
    const TraceDifference d = difference(first, second);
    EXPECT_FALSE(d.none());
    EXPECT_EQ(d.rewired, 2U);
    EXPECT_EQ(d.equal, 4U);
}

TEST(TraceDifference, DurationsMayBeIgnored) {
    WrittenTrace first;
    first.add(1, "a", wire::COMP_NODE).set_duration_micros(3);
    WrittenTrace second;
    second.add(1, "a", wire::COMP_NODE).set_duration_micros(4);
    EXPECT_FALSE(compare(read_back(first), read_back(second), Durations::compared).none());
    EXPECT_TRUE(compare(read_back(first), read_back(second), Durations::ignored).none());
}

TEST(TraceDifference, ComparesWhatPeersAreCalled) {
    const auto send_to = [](int peer) {
        WrittenTrace written;
        attribute(written.add(1, "a", wire::COMM_SEND_NODE), "comm_dst").set_int32_val(peer);
        return read_back(written);
    };
    EXPECT_EQ(compare(send_to(1), send_to(2), Durations::compared).changed, 1U);
}

}  // namespace
}  // namespace dse::trace::chakra
