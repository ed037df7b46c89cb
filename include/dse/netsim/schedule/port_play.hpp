#pragma once

#include <vector>

#include "dse/model/network/network_model.hpp"
#include "dse/model/network/network_play.hpp"
#include "dse/netsim/event_queue.hpp"

namespace dse::netsim {

/// Messages between devices that have one port out and one port in each, at the times that a network model
/// says of messages: the part of it that grows with the size occupies both ends' ports, one after the other
/// and overlapping, the rest is on its way. Messages leave in the order in which they begin and are taken in
/// as they come. It carries no collectives.
class PortPlay final : public model::NetworkPlay {
  public:
    /// \param network  outlives it \param devices  of the job
    PortPlay(const model::NetworkModel& network, std::int64_t devices);

    Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                 double share) override;
    Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) override;
    [[nodiscard]] double now() const override { return now_; }
    [[nodiscard]] double next_time() override;
    std::span<const Number> advance(double time) override;

  private:
    /// A message's first byte, or its last one, is at its end.
    struct Arrival {
        bool is_whole;
        std::int64_t to;
        double at_ports;  ///< s
    };

    const model::NetworkModel& network_;
    graph::Mesh mesh_;
    std::vector<double> out_free_;          ///< by device
    std::vector<double> in_free_;           ///< likewise
    EventQueue<double, Arrival> arrivals_;  ///< by number of the message
    std::vector<Number> ended_;
    Number begun_{0};
    double now_{0.0};
};

}  // namespace dse::netsim
