#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dse/netsim/event_queue.hpp"
#include "dse/sim/engine.hpp"
#include "sim/event/activity.hpp"
#include "sim/event/meeting.hpp"
#include "sim/event/pacer.hpp"
#include "sim/event/path_link.hpp"
#include "sim/event/pool.hpp"
#include "sim/event/rank.hpp"
#include "sim/event/slowdown.hpp"
#include "sim/event/under_way.hpp"

namespace dse::sim::event {

// Slots of a transfer, in the order that decides ties.
inline constexpr std::uint8_t value_slot = 0;
inline constexpr std::uint8_t send_slot = 1;
inline constexpr std::uint8_t receive_slot = 2;

/// Simulates one iteration of every rank, event by event. An event is a signal that reaches an activity that
/// waits for it.
///
/// If activities cannot change each other's durations, their times do not depend on the order in which events
/// are processed. Then each event is processed as soon as its time is known, and a rank goes on for as long
/// as it waits for no other, so that what it needs stays in the caches. Otherwise, events are processed in
/// chronological order.
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
    struct LastStream {
        double time{0};
        Blame blame;
    };
    [[nodiscard]] LastStream last_stream(const Rank& rank) const;
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

  private:
    struct Event {
        ActivityPtr activity;
        ActivityPtr sender;  ///< of the signal; nullptr if it was known from the start
        std::uint8_t slot{0};
        Signal signal{Signal::value};
        Slowdown::Finish finish{};  ///< for a kernel whose end can move
    };
    /// An activity that may start.
    struct Ready {
        ActivityPtr activity;
        double time{0};
    };
    /// Connects a rank's program to the messages of the simulation.
    class Mailbox;

    bool issue(Rank& rank);
    void issue_node(Rank& rank, const graph::Item& item);
    void issue_loss(Rank& rank, const graph::Item& item);
    void wait_for_all_streams(const Rank& rank, const ActivityPtr& activity);
    void issue_ahead(Rank& rank, std::size_t nodes);
    ActivityPtr message_to(std::int64_t receiver, const graph::Task& task);
    void send(Rank& rank, const graph::Task& task, const graph::Peer& to, const Value& value);
    void issue_release(Rank& rank, const ActivityPtr& transfer, double hold);
    void post_receive(Rank& rank, std::uint32_t lane);
    [[nodiscard]] std::int64_t rank_at(std::uint32_t stage, const Rank& like) const;

    void wait_for(const ActivityPtr& who, std::uint8_t slot, const Value& what);
    /// \param sender  of the signal; nullptr if it was known from the start
    void arrive(const ActivityPtr& who, std::uint8_t slot, const ActivityPtr& sender, Signal signal,
                double time);
    /// Passes signals whose times are now known to the activities that wait for them.
    void notify(const ActivityPtr& activity);
    /// Issues, starts or processes what is next. \return whether there was anything
    bool step();
    bool step_at_once();
    bool step_in_order();
    void deliver(const ActivityPtr& who, std::uint8_t slot, const Activity* sender, Signal signal,
                 double time);
    void open(Activity& activity);
    void go_on(const UnderWay::Progress& progress);
    void on_ready(const ActivityPtr& activity);
    void may_start(const ActivityPtr& activity, double time);
    void start(const ActivityPtr& activity, double time);
    ActivityPtr make_activity();
    void note(Activity& activity, std::uint8_t slot, bool is_last, const Activity* sender, Signal signal);
    void account(Activity& activity);
    void share_link(const Meeting& meeting) const;
    void link(Activity& activity);
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
    Pool<PathLink> path_links_;
    Pool<Activity> activities_;
    std::vector<Rank> ranks_;
    MeetingPlace meetings_;
    std::unique_ptr<UnderWay> under_way_;  ///< if communication shares the network
    bool at_once_;                         ///< whether events are processed as soon as their times are known
    std::size_t window_;                   ///< number of nodes that a rank issues before they can start
    bool histories_;                       ///< whether to record what is charged for waits
    bool links_;                           ///< whether to record what waited for what
    netsim::EventQueue<double, Event> events_;  ///< in order; simultaneous ones in order of insertion
    std::vector<Ready> ready_;                  ///< if at once
    std::uint64_t most_issued_{0};              ///< by a rank, before others have their turns
    std::vector<std::int64_t> later_;           ///< ranks that have issued so many
    std::uint64_t nodes_{0};
    Pacer pacer_;
    Slowdown slowdown_;
    std::vector<ActivityPtr> running_;    ///< by rank: the running kernel, if its end can move
    std::vector<std::int64_t> to_issue_;  ///< ranks that may issue more
};

}  // namespace dse::sim::event
