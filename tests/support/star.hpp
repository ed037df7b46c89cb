#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "dse/netsim/flow/fabric.hpp"
#include "dse/netsim/flow/fluid_network.hpp"
#include "dse/netsim/flow/router.hpp"

namespace dse::test {

struct Message {
    std::int64_t from;
    std::int64_t to;
    double bytes;
};

inline std::vector<Message> ring_step(std::int64_t hosts) {
    std::vector<Message> messages;
    for (std::int64_t i = 0; i < hosts; ++i) messages.push_back({i, (i + 1) % hosts, 1e6});
    return messages;
}

inline std::vector<Message> all_to_all(std::int64_t hosts) {
    std::vector<Message> messages;
    for (std::int64_t i = 0; i < hosts; ++i) {
        for (std::int64_t j = 0; j < hosts; ++j) {
            if (i != j) messages.push_back({i, j, 1e6});
        }
    }
    return messages;
}

/// The same with sizes of their own, whole bytes, a half to one and a half of what they were.
inline std::vector<Message> uneven(std::vector<Message> messages, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> factor{0.5, 1.5};
    for (Message& message : messages) message.bytes = std::round(message.bytes * factor(random));
    return messages;
}

/// Hosts on one switch: 12.5 GB/s and 1 us a link, so that a message waits 2 us.
class Star {
  public:
    static constexpr double bandwidth = 12.5e9;
    static constexpr double latency = 1e-6;

    explicit Star(std::int64_t hosts)
        : fabric_{netsim::flow::build_fabric(spec(), hosts)},
          router_{fabric_.graph, hardware::PathChoice::first, 0},
          network_{fabric_.graph} {}

    /// Begins all messages now, and waits for them. \return when each of them ended, counted from then;
    /// valid until the next call
    const std::vector<double>& play(const std::vector<Message>& messages) {
        network_.restart();
        ends_.resize(messages.size());
        for (std::size_t m = 0; m < messages.size(); ++m) {
            const Message& message = messages[m];
            route_.clear();
            router_.route(node(message.from), node(message.to), nullptr, route_);
            const netsim::flow::FlowId flow =
                network_.add(route_, Bytes{message.bytes}, Seconds{2.0 * latency});
            if (flow.index() >= owner_.size()) owner_.resize(flow.index() + 1);
            owner_[flow.index()] = m;
        }
        constexpr double never = std::numeric_limits<double>::infinity();
        for (double time = network_.next_time(); time < never; time = network_.next_time()) {
            for (const netsim::flow::FlowId flow : network_.advance(time)) ends_[owner_[flow.index()]] = time;
        }
        return ends_;
    }

  private:
    static hardware::NetworkSpec spec() {
        hardware::NetworkSpec network;
        network.scale_up.link.bandwidth = BytesPerSecond{bandwidth};
        network.scale_out.link = {BytesPerSecond{bandwidth}, Seconds{2.0 * latency}, 1.0};
        network.topology.kind = hardware::TopologyKind::two_level;
        return network;
    }
    static netsim::flow::NodeId node(std::int64_t host) {
        return netsim::flow::NodeId{static_cast<std::size_t>(host)};
    }

    netsim::flow::Fabric fabric_;
    netsim::flow::Router router_;
    netsim::flow::FluidNetwork network_;
    std::vector<netsim::flow::LinkId> route_;
    std::vector<std::size_t> owner_;
    std::vector<double> ends_;
};

}  // namespace dse::test
