#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dse/netsim/event_queue.hpp"
#include "dse/sim/engine.hpp"
#include "sim/event/activity.hpp"
#include "sim/event/meeting.hpp"
#include "sim/event/pacer.hpp"
#include "sim/event/program_cursor.hpp"
#include "sim/event/slowdown.hpp"
#include "sim/event/under_way.hpp"
#include "sim/event/unstarted.hpp"

namespace dse::sim::event {

/// Memory of one rank, counted as it issues its nodes.
struct MemoryCount {
    double level{0};
    BytesByKind levels{};
    double peak{0};
    BytesByKind at_peak{};
    double host{0};
    double host_peak{0};

    void allocate(const graph::Buffer& buffer);
    void free(const graph::Buffer& buffer);
    /// Allocates the buffers that the node allocates, then frees those that it frees.
    void issue(const graph::Item& node, const graph::Graph& graph);
};

struct Rank {
    Rank(const graph::Graph& graph, std::int64_t number, std::uint32_t stage_of_it);

    std::int64_t number;
    std::uint32_t stage;
    ProgramCursor cursor;
    bool exhausted{false};  ///< whether everything has been issued
    std::uint64_t issued{0};
    Unstarted unstarted;               ///< nodes and releases
    std::vector<ActivityPtr> last_on;  ///< by stream; for the compute stream, its last occupant
    /// Messages of a rank on one lane.
    struct Lane {
        ActivityPtr last_sent;
        ActivityPtr last_received;
        std::size_t next_receive{0};  ///< position of the next task whose receive is not posted
    };
    std::array<Lane, graph::most_lanes> lanes;
    MemoryCount memory;
    Parts parts;
    Waits waits;  ///< if the path is needed
};

/// Simulates one iteration of every rank, event by event. An event is a signal that reaches an activity that
/// waits for it.
class Simulation {
  public:
    /// \param asked       for `parts`, the simulation records what waited for what
    /// \param checkpoint  called every few thousand steps; may throw; may be empty
    Simulation(const graph::Graph& graph, const Durations& durations, Asked::For asked,
               std::function<void()> checkpoint = {});

    /// \throws ModelError in case of a deadlock, listing what each rank waits for
    void run();

    [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
    /// When the rank's last stream is free, and what to charge for waits for it.
    [[nodiscard]] SignalTime last_stream(const Rank& rank) const;
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    struct Event {
        ActivityPtr activity;
        std::uint8_t slot{0};
        Culprits culprits;
        PathLinkPtr link;
        Slowdown::Finish finish{};  ///< for a kernel whose end can move
    };
    struct Message {
        ActivityPtr transfer;
        int known_to{0};  ///< how many know it, of: sender, receiver's stream, receiver's task
    };
    /// Connects a rank's program to the messages of the simulation.
    class Mailbox;

    bool issue(Rank& rank);
    void issue_node(Rank& rank, const graph::Item& item);
    void wait_for_all_streams(const Rank& rank, const ActivityPtr& activity);
    void issue_ahead(Rank& rank, std::size_t nodes);
    ActivityPtr message_to(std::int64_t receiver, const graph::Task& task);
    void send(Rank& rank, const graph::Task& task, const graph::Peer& to, const Value& value);
    void issue_release(Rank& rank, const ActivityPtr& transfer, double hold);
    void post_receive(Rank& rank, std::uint32_t lane);
    [[nodiscard]] std::int64_t rank_at(std::uint32_t stage, const Rank& like) const;

    void wait_for(const ActivityPtr& who, std::uint8_t slot, const Value& what);
    /// Passes signals whose times are now known to the activities that wait for them.
    void notify(const ActivityPtr& activity);
    /// Processes the next event, or what happens on the network before it. \return whether there was either
    bool step();
    void deliver(double time, const Event& event);
    void open(Activity& activity);
    void go_on(const UnderWay::Progress& progress);
    void on_ready(const ActivityPtr& activity);
    void start(const ActivityPtr& activity, double time);
    void link(Activity& activity) const;
    [[nodiscard]] Waits* waits_of(Rank& rank) const { return links_ ? &rank.waits : nullptr; }
    void occupy_compute(Activity& activity);
    void settle(const ActivityPtr& activity);
    bool begin_moving(const ActivityPtr& activity);
    void begin_beside(const ActivityPtr& activity);
    void move_end(std::int64_t rank, const std::optional<Slowdown::Finish>& finish);
    void on_mark(double time, const Event& event);
    void account_release(Activity& activity);
    [[nodiscard]] std::string stuck() const;

    const graph::Graph* graph_;
    const Durations* durations_;
    std::vector<Rank> ranks_;
    MeetingPlace meetings_;
    std::unique_ptr<UnderWay> under_way_;  ///< if communication shares the network
    std::size_t window_;
    bool links_;  ///< whether to record what waited for what
    std::map<std::tuple<std::int64_t, graph::Pass, std::uint16_t, std::uint32_t>, Message> messages_;
    netsim::EventQueue<double, Event> events_;  ///< simultaneous ones in order of insertion
    std::uint64_t nodes_{0};
    Pacer pacer_;
    Slowdown slowdown_;
    std::vector<ActivityPtr> running_;    // by rank: the running kernel, if its end can move
    std::vector<std::int64_t> to_issue_;  // ranks that may issue more
};

}  // namespace dse::sim::event
