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

namespace dse::sim::event {

/// What one rank allocates, counted as it issues its nodes.
struct MemoryCount {
    double level{0};
    BytesByKind levels{};
    double peak{0};
    BytesByKind at_peak{};
    double host{0};
    double host_peak{0};

    void allocate(const graph::Buffer& buffer);
    void free(const graph::Buffer& buffer);
    /// Allocates what a node needs, and frees what nobody needs after it.
    void issue(const graph::Item& node, const graph::Graph& graph);
};

struct Rank {
    Rank(const graph::Graph& graph, std::int64_t number, std::uint32_t stage_of_it);

    std::int64_t number;
    std::uint32_t stage;
    ProgramCursor cursor;
    bool exhausted{false};  ///< everything has been issued
    std::uint64_t issued{0};
    std::map<std::uint64_t, ActivityPtr> unstarted;  ///< nodes and releases, by issue number
    std::vector<ActivityPtr> last_on;  ///< by stream; of the compute stream: who occupied it last
    /// What a rank sends and receives on a lane.
    struct Lane {
        ActivityPtr last_sent;
        ActivityPtr last_received;
        std::size_t next_receive{0};  ///< position of the next task whose message is not posted
    };
    std::array<Lane, graph::most_lanes> lanes;
    MemoryCount memory;
    Parts parts;
    Waits waits;  ///< where the path is asked for
};

/// One iteration of every rank, event by event. An event is a signal that reaches someone who waits for it.
class Simulation {
  public:
    /// \param asked       of parts, who waited for whom is remembered
    /// \param checkpoint  called every few thousand steps; may throw. None where empty.
    Simulation(const graph::Graph& graph, const Durations& durations, Asked::For asked,
               std::function<void()> checkpoint = {});

    /// \throws ModelError listing who waits for what when nothing happens any more and not everything has run
    void run();

    [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
    /// When the rank's last stream is free, and whom to charge for waiting for it.
    [[nodiscard]] SignalTime last_stream(const Rank& rank) const;
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    struct Event {
        ActivityPtr activity;
        std::uint8_t slot;
        Culprits culprits;
        PathLinkPtr link;
        Slowdown::Finish finish{};  ///< of a kernel whose end can move
    };
    struct Message {
        ActivityPtr transfer;
        int known_to{0};  ///< of sender, receiver's stream, receiver's task
    };
    /// One rank's view of the world.
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
    /// What waits for signals that are known now hears of them.
    void notify(const ActivityPtr& activity);
    /// The next event, or what happens on the network before it. \return whether there was either
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
    std::unique_ptr<UnderWay> under_way_;  ///< where what is under way shares the network
    std::size_t window_;
    bool links_;  ///< whether who waited for whom is remembered
    std::map<std::tuple<std::int64_t, graph::Pass, std::uint16_t, std::uint32_t>, Message> messages_;
    netsim::EventQueue<double, Event> events_;  ///< those at one instant as they came up
    std::uint64_t nodes_{0};
    Pacer pacer_;
    Slowdown slowdown_;
    std::vector<ActivityPtr> running_;    // by rank: the kernel, where its end can move
    std::vector<std::int64_t> to_issue_;  // ranks that may issue more
};

}  // namespace dse::sim::event
