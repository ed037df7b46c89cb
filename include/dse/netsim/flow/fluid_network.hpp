#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/base/units.hpp"
#include "dse/netsim/event_queue.hpp"
#include "dse/netsim/flow/link_graph.hpp"

namespace dse::netsim::flow {

/// Index of a flow, reused once the flow has ended.
using FlowId = Id<struct FlowTag>;

/// Simulation of messages as fluid flows that share links max–min fairly.
///
/// The rate of a flow is such that one of its links is saturated and no other flow on that link is faster
/// (progressive filling: Bertsekas and Gallager, Data Networks, 2nd ed., section 6.5.2). Rates are recomputed
/// when time advances, once for everything that starts and ends at the same instant, and only for flows that
/// share links with those, directly or indirectly. Starts and ends are integer multiples of the time quantum.
/// Steady traffic does not allocate, since new flows reuse the memory of ended ones.
class FluidNetwork {
  public:
    /// \param graph  must outlive this object
    explicit FluidNetwork(const LinkGraph& graph);

    /// Adds a message that enters all its links at once, `delay` from now.
    /// \param route  consecutive links, at least one; the flow takes its share of each
    /// \param size   bytes, > 0
    /// \param count  number of equal parallel messages of `size` bytes each, > 0
    FlowId add(std::span<const LinkId> route, Bytes size, Seconds delay = Seconds{}, double count = 1.0);
    /// Removes a flow before its end.
    void remove(FlowId flow);

    [[nodiscard]] double now() const { return now_; }  ///< s
    /// Time at which the next flow enters or ends, if nothing is added; infinity if nothing is running. A
    /// flow may end at now().
    [[nodiscard]] double next_time();
    /// Advances time.
    /// \param time  between now() and next_time(), a multiple of the quantum
    /// \return the flows that end at that time; valid until the next add() or advance()
    std::span<const FlowId> advance(double time);
    /// Resets time to 0. \pre nothing is running
    void restart();

    /// Rate of one of the flow's messages; 0 before it has entered.
    [[nodiscard]] BytesPerSecond rate(FlowId flow);
    /// Number of unfinished messages assigned to the link.
    [[nodiscard]] double messages_on(LinkId link) const { return links_[link.index()].assigned; }
    /// Number of rates computed so far, a measure of the effort.
    [[nodiscard]] std::uint64_t rates_solved() const { return rates_solved_; }

  private:
    struct Flow {
        double remaining{0};  ///< bytes of each message at time `since`
        double rate{0};       ///< B/s of each message
        double since{0};
        double count{1};
        std::uint32_t first{0};  ///< of its crossings
        std::uint32_t hops{0};
        std::uint32_t seen{0};  ///< mark of the last component it was found in
        bool entered{false};
        bool frozen{false};
    };
    /// A flow on one link of its route.
    struct Crossing {
        std::uint32_t link;
        std::uint32_t place;  ///< index in the link's users
    };
    struct User {
        std::uint32_t flow;
        std::uint32_t hop;
    };
    struct SharedLink {
        double capacity{0};
        double left{0};     ///< capacity not assigned to frozen flows
        double waiting{0};  ///< number of messages of flows that are not frozen
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
    /// Entries and ends of flows, by flow.
    EventQueue<double, std::monostate, MovableEvents> events_;
    double now_{0};
    std::vector<FlowId> ended_;

    // State of one solve.
    std::uint32_t mark_{0};
    std::vector<std::uint32_t> changed_links_;
    std::vector<std::uint32_t> component_links_;
    std::vector<std::uint32_t> component_flows_;
    std::vector<std::uint32_t> changed_flows_;
    std::vector<Share> shares_;
    std::uint64_t rates_solved_{0};
};

}  // namespace dse::netsim::flow
