#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/base/units.hpp"
#include "dse/netsim/event_queue.hpp"
#include "dse/netsim/flow/link_graph.hpp"

namespace dse::netsim::flow {

/// An index that comes back once its flow has ended.
using FlowId = Id<struct FlowTag>;

/// Messages as fluids that share links max–min fairly, over time.
///
/// A flow has the rate at which one of its links is full and no other flow over that link is faster
/// (progressive filling: Bertsekas and Gallager, Data Networks, 2nd ed., section 6.5.2). Rates are worked
/// out when time goes on, once for everything that begins and ends at the same instant, and only for flows
/// that share links with those, directly or through others. Begins and ends are whole time quanta. Steady
/// traffic allocates nothing: what an ended flow had, the next one takes.
class FluidNetwork {
  public:
    /// \param graph  outlives this
    explicit FluidNetwork(const LinkGraph& graph);

    /// A message that enters its links `delay` from now, all of them at once.
    /// \param route  links one behind the other, at least one; the flow takes its share of each
    /// \param size   bytes, > 0
    /// \param count  so many equal messages side by side, each of `size` bytes, > 0
    FlowId add(std::span<const LinkId> route, Bytes size, Seconds delay = Seconds{}, double count = 1.0);
    /// Takes a flow away before its end.
    void remove(FlowId flow);

    [[nodiscard]] double now() const { return now_; }  ///< s
    /// When next a flow enters or ends, if nothing is added; infinity where nothing goes on. A flow may end
    /// at now().
    [[nodiscard]] double next_time();
    /// Time goes on. \param time  now() or later, but not later than next_time(); a multiple of the quantum
    /// \return the flows that end at that time; valid until the next add() or advance()
    std::span<const FlowId> advance(double time);
    /// Nothing may be going on: time begins at 0 again.
    void restart();

    /// Of one of the flow's messages; 0 before it has entered.
    [[nodiscard]] BytesPerSecond rate(FlowId flow);
    /// Messages that have been given the link and have not ended.
    [[nodiscard]] double messages_on(LinkId link) const { return links_[link.index()].assigned; }
    /// Rates that have been worked out, over all solves: what the answers cost.
    [[nodiscard]] std::uint64_t rates_solved() const { return rates_solved_; }

  private:
    struct Flow {
        double remaining{0};  ///< B of each message, at `since`
        double rate{0};       ///< B/s of each message
        double since{0};
        double count{1};
        std::uint32_t first{0};  ///< of its crossings
        std::uint32_t hops{0};
        std::uint32_t seen{0};  ///< mark of the last component it was found in
        bool entered{false};
        bool frozen{false};
    };
    /// A flow on one link of its way.
    struct Crossing {
        std::uint32_t link;
        std::uint32_t place;  ///< in the link's users
    };
    struct User {
        std::uint32_t flow;
        std::uint32_t hop;
    };
    struct SharedLink {
        double capacity{0};
        double left{0};     ///< of it, not given to frozen flows
        double waiting{0};  ///< messages of flows that are not frozen
        double assigned{0};
        std::uint32_t seen{0};
        bool changed{false};
        std::vector<User> users;
    };
    struct Share {
        double rate;
        std::uint32_t link;
    };

    std::uint32_t take_crossings(std::size_t hops);
    [[nodiscard]] std::span<Crossing> crossings(const Flow& flow) {
        return {crossings_.data() + flow.first, flow.hops};
    }
    void enter(std::uint32_t flow);
    void leave(std::uint32_t flow);
    void touch(std::uint32_t link);

    void solve();
    void collect_component();
    void fill_component();
    void freeze_users(std::uint32_t link, double rate);
    void set_rate(std::uint32_t flow, double rate);
    void schedule();

    std::vector<SharedLink> links_;
    std::vector<Flow> flows_;
    std::vector<std::uint32_t> free_flows_;
    std::vector<Crossing> crossings_;
    std::vector<std::vector<std::uint32_t>> free_crossings_;  ///< by hops
    /// Flows enter and end; by flow.
    EventQueue<double, std::monostate, MovableEvents> events_;
    double now_{0};
    std::vector<FlowId> ended_;

    // Of one solve.
    std::uint32_t mark_{0};
    std::vector<std::uint32_t> changed_links_;
    std::vector<std::uint32_t> component_links_;
    std::vector<std::uint32_t> component_flows_;
    std::vector<std::uint32_t> changed_flows_;
    std::vector<Share> shares_;
    std::uint64_t rates_solved_{0};
};

}  // namespace dse::netsim::flow
