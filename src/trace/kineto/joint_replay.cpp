#include "dse/trace/kineto/joint_replay.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::trace::kineto {
namespace {

using Node = std::uint32_t;

/// The nodes of all ranks in one list, with the members of a collective merged into one node.
class JointGraph {
  public:
    explicit JointGraph(std::span<const ReplayRank> ranks) : ranks_{ranks} {
        for (const ReplayRank& rank : ranks) {
            begins_.push_back(duration_.size());
            for (const ReplayNode& node : rank.graph->nodes) {
                joined_.push_back(static_cast<Node>(duration_.size()));
                duration_.push_back(node.duration);
                pause_.push_back(node.pause);
            }
        }
        join_collectives();
        connect();
    }

    [[nodiscard]] std::vector<std::int64_t> play() {
        std::vector<Node> ready;
        for (Node n = 0; n < duration_.size(); ++n) {
            if (joined_[n] == n && waiting_[n] == 0) ready.push_back(n);
        }
        std::size_t left = nodes_;
        while (!ready.empty()) {
            const Node n = ready.back();
            ready.pop_back();
            --left;
            finish_[n] = start_[n] + pause_[n] + duration_[n];
            for (const Node dependent : dependents_[n]) {
                start_[dependent] = std::max(start_[dependent], finish_[n]);
                if (--waiting_[dependent] == 0) ready.push_back(dependent);
            }
        }
        if (left > 0)
            throw ModelError(fmt::format("the ranks wait for each other: {} nodes never start", left));
        std::vector<std::int64_t> ends;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            std::int64_t end = 0;
            for (std::size_t n = 0; n < ranks_[r].graph->nodes.size(); ++n)
                end = std::max(end, finish_[at(r, static_cast<Node>(n))] - ranks_[r].zero);
            ends.push_back(end);
        }
        return ends;
    }

  private:
    [[nodiscard]] Node at(std::size_t rank, Node node) const { return joined_[begins_[rank] + node]; }

    void join_collectives() {
        std::map<std::string, std::map<std::size_t, std::vector<Node>>> meetings;  // by group and rank
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const auto& nodes = ranks_[r].graph->nodes;
            for (Node n = 0; n < nodes.size(); ++n) {
                if (nodes[n].collective) meetings[nodes[n].collective->group][r].push_back(n);
            }
        }
        for (const auto& [group, by_rank] : meetings) {
            const auto& [first_rank, first] = *by_rank.begin();
            for (const auto& [rank, own] : by_rank) {
                if (own.size() != first.size())
                    throw ModelError(fmt::format("group '{}': rank {} has {} collectives, rank {} has {}",
                                                 group, first_rank, first.size(), rank, own.size()));
                for (std::size_t c = 0; c < own.size(); ++c) {
                    const Node meeting = at(first_rank, first[c]);
                    const ReplayNode& part = ranks_[rank].graph->nodes[own[c]];
                    joined_[begins_[rank] + own[c]] = meeting;
                    duration_[meeting] = std::min(duration_[meeting], part.duration);
                    pause_[meeting] = std::min(pause_[meeting], part.pause);
                }
            }
        }
    }

    void connect() {
        dependents_.resize(duration_.size());
        waiting_.assign(duration_.size(), 0);
        start_.assign(duration_.size(), 0);
        finish_.assign(duration_.size(), 0);
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            const auto& nodes = ranks_[r].graph->nodes;
            for (Node n = 0; n < nodes.size(); ++n) {
                const Node own = at(r, n);
                start_[own] = std::max(start_[own], ranks_[r].zero);
                const auto wait_for = [&](Node other) {
                    dependents_[at(r, other)].push_back(own);
                    ++waiting_[own];
                };
                for (const Node other : nodes[n].data) wait_for(other);
                if (nodes[n].before) wait_for(*nodes[n].before);
            }
        }
        for (Node n = 0; n < duration_.size(); ++n) nodes_ += joined_[n] == n ? 1 : 0;
    }

    std::span<const ReplayRank> ranks_;
    std::vector<std::size_t> begins_;  ///< by rank: index of its first node in the joint list
    std::vector<Node> joined_;         ///< the node that represents it
    std::vector<std::int64_t> duration_;
    std::vector<std::int64_t> pause_;
    std::vector<std::vector<Node>> dependents_;
    std::vector<std::uint32_t> waiting_;
    std::vector<std::int64_t> start_;
    std::vector<std::int64_t> finish_;
    std::size_t nodes_{0};
};

}  // namespace

std::vector<std::int64_t> replay_together(std::span<const ReplayRank> ranks) {
    return JointGraph{ranks}.play();
}

}  // namespace dse::trace::kineto
