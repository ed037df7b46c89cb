#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/trace/chakra/trace_reader.hpp"

namespace dse::test {

/// The traces of all ranks, read back, and what their nodes have to do with each other: knows nothing of
/// where they come from. Checks what must hold as it reads.
class TraceWorld {
  public:
    using Node = trace::chakra::TraceNode;
    using NodeType = trace::chakra::NodeType;

    /// One thing that happens on one rank or on several at once.
    struct Activity {
        NodeType type{NodeType::invalid};
        std::int64_t micros{0};
        std::int64_t kind{-1};  ///< comm_type
        std::int64_t bytes{0};
        std::string group;
        std::vector<std::size_t> ranks;
        std::vector<std::size_t> after;  ///< activities
    };

    TraceWorld(const std::string& prefix, std::size_t ranks) {
        std::ifstream file(prefix + ".json");
        const nlohmann::json json = nlohmann::json::parse(file);
        for (const auto& [name, members] : json.items())
            groups[name] = members.get<std::vector<std::size_t>>();
        for (std::size_t rank = 0; rank < ranks; ++rank)
            read(prefix + "." + std::to_string(rank) + ".et", rank);
        check_meetings();
    }

    /// When the last activity ends, if everything starts as soon as what it waits for is there. Messages take
    /// a time of their own. \return µs, -1 where not everything ever starts
    [[nodiscard]] std::int64_t play(std::int64_t message_micros) const {
        std::vector<std::size_t> missing(activities.size());
        std::vector<std::vector<std::size_t>> before(activities.size());
        for (std::size_t a = 0; a < activities.size(); ++a) {
            missing[a] = activities[a].after.size();
            for (const std::size_t other : activities[a].after) before[other].push_back(a);
        }
        std::vector<std::int64_t> start(activities.size(), 0);
        std::queue<std::size_t> ready;
        for (std::size_t a = 0; a < activities.size(); ++a) {
            if (missing[a] == 0) ready.push(a);
        }
        std::int64_t last = 0;
        std::size_t played = 0;
        for (; !ready.empty(); ready.pop(), ++played) {
            const Activity& activity = activities[ready.front()];
            const bool message = activity.type == NodeType::comm_send;
            const std::int64_t end = start[ready.front()] + (message ? message_micros : activity.micros);
            last = std::max(last, end);
            for (const std::size_t next : before[ready.front()]) {
                start[next] = std::max(start[next], end);
                if (--missing[next] == 0) ready.push(next);
            }
        }
        return played == activities.size() ? last : -1;
    }

    std::map<std::string, std::vector<std::size_t>> groups;
    std::vector<Activity> activities;
    std::uint64_t nodes{0};
    double num_ops{0};       ///< of all kernels
    double tensor_bytes{0};  ///< likewise
    std::vector<std::string> names;

  private:
    void read(const std::string& path, std::size_t rank) {
        trace::chakra::TraceReader reader{path};
        EXPECT_EQ(reader.version(), "1.0.0");
        std::vector<std::size_t> activity_of{0};  // by id
        std::map<std::string, std::size_t> met;   // by group
        Node node;
        while (reader.next(node)) {
            ASSERT_EQ(node.id, activity_of.size()) << "ids go up one by one";
            const std::size_t index = activity(node, rank, met);
            activity_of.push_back(index);
            ++nodes;
            names.push_back(node.name);
            std::set<std::uint64_t> waits_for(node.data_dependencies.begin(), node.data_dependencies.end());
            waits_for.insert(node.control_dependencies.begin(), node.control_dependencies.end());
            EXPECT_EQ(waits_for.size(), node.data_dependencies.size() + node.control_dependencies.size())
                << "a dependency twice";
            for (const std::uint64_t id : waits_for) {
                ASSERT_GT(id, 0U);
                ASSERT_LT(id, node.id) << node.name << " waits for what comes later";
                activities[index].after.push_back(activity_of[id]);
            }
            ASSERT_NE(node.attribute("is_cpu_op"), nullptr);
            EXPECT_TRUE(!is_of_host(node) || node.type == NodeType::comp) << node.name;
        }
    }

    static bool is_of_host(const Node& node) {
        return *node.attribute("is_cpu_op") == trace::chakra::AttributeValue{true};
    }

    /// The activity that a node takes part in: a new one, unless others are there already.
    std::size_t activity(const Node& node, std::size_t rank, std::map<std::string, std::size_t>& met) {
        std::size_t index = activities.size();
        if (node.type == NodeType::comm_coll) {
            const std::string group{node.text("pg_name")};
            index = collectives_.try_emplace({group, met[group]++}, index).first->second;
        } else if (node.type == NodeType::comm_send || node.type == NodeType::comm_recv) {
            const auto from = node.number("comm_src").value_or(-1);
            const auto to = node.number("comm_dst").value_or(-1);
            EXPECT_EQ(node.type == NodeType::comm_send ? from : to, static_cast<std::int64_t>(rank));
            index =
                messages_.try_emplace({from, to, node.number("comm_tag").value_or(-1)}, index).first->second;
        }
        if (index == activities.size()) {
            activities.emplace_back();
            activities.back().type = node.type == NodeType::comm_recv ? NodeType::comm_send : node.type;
            activities.back().micros = static_cast<std::int64_t>(node.duration_micros);
            activities.back().kind = node.number("comm_type").value_or(-1);
            activities.back().bytes = node.number("comm_size").value_or(0);
            activities.back().group = node.text("pg_name");
        }
        Activity& joined = activities[index];
        joined.ranks.push_back(rank);
        // The members agree on what it is and how much.
        EXPECT_EQ(joined.kind, node.number("comm_type").value_or(-1)) << node.name << " of rank " << rank;
        EXPECT_EQ(joined.bytes, node.number("comm_size").value_or(0)) << node.name << " of rank " << rank;
        if (node.type == NodeType::comp && !is_of_host(node)) {
            const auto ops = static_cast<double>(node.number("num_ops").value_or(-1));
            const auto bytes = static_cast<double>(node.number("tensor_size").value_or(-1));
            EXPECT_GE(ops, 1) << node.name;
            EXPECT_GE(bytes, 1) << node.name;
            // One is what a kernel has that has none.
            if (ops > 1) num_ops += ops;
            if (bytes > 1) tensor_bytes += bytes;
        }
        return index;
    }

    /// Every member of a group is there, once; every message has its two ends.
    void check_meetings() const {
        for (const Activity& activity : activities) {
            if (activity.type == NodeType::comm_coll) {
                const auto group = groups.find(activity.group);
                ASSERT_NE(group, groups.end()) << "no group " << activity.group;
                EXPECT_EQ(activity.ranks, group->second);
                EXPECT_GT(activity.ranks.size(), 1U);
            } else {
                EXPECT_EQ(activity.ranks.size(), activity.type == NodeType::comm_send ? 2U : 1U);
            }
        }
    }

    std::map<std::tuple<std::string, std::size_t>, std::size_t> collectives_;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> messages_;
};

}  // namespace dse::test
