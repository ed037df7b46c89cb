#pragma once

#include <vector>

#include "dse/model/network/network_model.hpp"
#include "dse/model/network/network_play.hpp"
#include "dse/netsim/event_queue.hpp"

namespace dse::netsim {

/// Simulates messages between devices with one output and one input port each, with the message times of a
/// network model: the size-dependent part of the time occupies the ports of both ends, overlapping in time;
/// the rest is latency. Messages are sent in the order in which they start, and received in the order of
/// arrival. Collectives are not supported.
class PortPlay final : public model::NetworkPlay {
  public:
    /// \param network  must outlive this object \param devices  number of devices of the job
    PortPlay(const model::NetworkModel& network, std::int64_t devices);

    Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                 double share) override;
    Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) override;
    [[nodiscard]] double now() const override { return now_; }
    [[nodiscard]] double next_time() override;
    std::span<const Number> advance(double time) override;

  private:
    /// Arrival of a message's first or last byte.
    struct Arrival {
        bool is_whole;
        std::int64_t to;
        double at_ports;  ///< s
    };

    const model::NetworkModel& network_;
    graph::Mesh mesh_;
    std::vector<double> out_free_;          ///< by device
    std::vector<double> in_free_;           ///< likewise
    EventQueue<double, Arrival> arrivals_;  ///< by message number
    std::vector<Number> ended_;
    Number begun_{0};
    double now_{0.0};
};

}  // namespace dse::netsim
