#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/model/network/network_play.hpp"
#include "sim/event/activity.hpp"

namespace dse::sim::event {

/// Collectives and messages in progress that share the network, so that their ends are not known in advance.
///
/// Each is simulated in consecutive parts: what its consumers or its compute stream wait for, then the rest.
/// When a part has ended, the times of its activities are set as far as they are known.
class UnderWay {
  public:
    /// \param graph  must outlive this object
    UnderWay(const graph::Graph& graph, std::unique_ptr<model::NetworkPlay> network);

    [[nodiscard]] double now() const { return network_->now(); }
    [[nodiscard]] double next_time() { return network_->next_time(); }

    /// Starts a message between two ranks now.
    void begin(const ActivityPtr& transfer);
    /// Starts a collective now, on all its members.
    /// \param members  ranks, ascending; at least two
    void begin(std::span<const std::int64_t> members, const std::vector<ActivityPtr>& activities);

    /// An activity that has progressed.
    struct Progress {
        ActivityPtr activity;
        double before;  ///< previous value of OnNetwork::done
    };
    /// Advances the time.
    /// \param time  from now() to next_time()
    /// \return valid until the next call
    const std::vector<Progress>& advance(double time);

  private:
    struct Course {
        std::vector<ActivityPtr> activities;
        std::vector<std::int64_t> members;  ///< for a message: sender, receiver
        std::vector<double> ends;  ///< ends of its parts as shares of the whole; ascending, the last is 1
        std::size_t part{0};
    };

    void begin(Course course);
    void begin_part(Course course);
    void progress(Course& course);

    const graph::Graph* graph_;
    std::unique_ptr<model::NetworkPlay> network_;
    std::unordered_map<model::NetworkPlay::Number, Course> courses_;
    std::vector<Progress> progress_;
};

}  // namespace dse::sim::event
