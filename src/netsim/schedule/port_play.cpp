#include "dse/netsim/schedule/port_play.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/time_quantum.hpp"
#include "dse/model/network/group_mesh.hpp"

namespace dse::netsim {

PortPlay::PortPlay(const model::NetworkModel& network, std::int64_t devices)
    : network_{network},
      mesh_{model::line_mesh(devices)},
      out_free_(static_cast<std::size_t>(devices)),
      in_free_(static_cast<std::size_t>(devices)) {}

model::NetworkPlay::Number PortPlay::begin(const graph::Collective& /*collective*/,
                                           std::span<const std::int64_t> /*members*/, double /*share*/) {
    throw ModelError("ports carry messages, no collectives");
}

model::NetworkPlay::Number PortPlay::begin(Bytes size, std::int64_t from, std::int64_t to, double share) {
    DSE_EXPECT(share > 0.0 && share <= 1.0);
    const auto quantised = [](double seconds) {
        return std::nearbyint(seconds / time_quantum) * time_quantum;
    };
    const Bytes sent = size * share;
    const double whole = quantised(network_.transfer(sent, mesh_, from, to).value());
    const double on_its_way = quantised(network_.transfer(Bytes{1.0}, mesh_, from, to).value());
    const double at_ports = std::max(0.0, whole - on_its_way);
    double& out = out_free_[static_cast<std::size_t>(from)];
    const double leaves = std::max(now_, out);
    out = leaves + at_ports;
    arrivals_.push(leaves + whole - at_ports, begun_, {false, to, at_ports});
    return begun_++;
}

double PortPlay::next_time() {
    return arrivals_.empty() ? std::numeric_limits<double>::infinity() : arrivals_.next_time();
}

std::span<const model::NetworkPlay::Number> PortPlay::advance(double time) {
    DSE_EXPECT(time >= now_);
    now_ = time;
    ended_.clear();
    while (!arrivals_.empty() && arrivals_.next_time() <= time) {
        const auto next = arrivals_.pop();
        const auto& [is_whole, to, at_ports] = next.event;
        if (is_whole) {
            ended_.push_back(static_cast<Number>(next.number));
            continue;
        }
        double& in = in_free_[static_cast<std::size_t>(to)];
        in = std::max(next.time, in) + at_ports;
        arrivals_.push(in, next.number, {true, to, at_ports});
    }
    return ended_;
}

}  // namespace dse::netsim
