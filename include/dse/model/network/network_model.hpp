#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/work.hpp"
#include "dse/model/network/network_play.hpp"

namespace dse::netsim {
struct Schedule;
}

namespace dse::model {

/// A way to run a collective that a library has.
struct Alternative {
    std::string name;  ///< algorithm and protocol
    Seconds time;      ///< that it takes
    Seconds expected;  ///< by the library's own reckoning, which decides
};

/// Time of communication on an otherwise idle network. Implementations are pure.
class NetworkModel {
  public:
    NetworkModel() = default;
    NetworkModel(const NetworkModel&) = delete;
    NetworkModel& operator=(const NetworkModel&) = delete;
    virtual ~NetworkModel() = default;

    /// All groups over the collective's axes run it at once. A group of one costs nothing.
    /// \throws ModelError when the groups do not fit the machine in a way that the model knows
    [[nodiscard]] virtual Seconds collective(const graph::Collective& collective,
                                             const graph::Mesh& mesh) const = 0;

    /// A message between neighbouring stages along the pipeline axis, the slowest of all such pairs of ranks.
    /// \param from, to  positions along the pipeline axis; equal ones cost nothing
    [[nodiscard]] virtual Seconds transfer(Bytes size, const graph::Mesh& mesh, std::int64_t from,
                                           std::int64_t to) const = 0;

    /// Two stages add what they have (graph::Members::ends and mirrors), of many pairs the two that are
    /// furthest apart. By default each sends the other all of it.
    [[nodiscard]] virtual Seconds exchange(const graph::Collective& collective,
                                           const graph::Mesh& mesh) const {
        return transfer(collective.size, mesh, 0, mesh.degree(graph::MeshAxis::pipeline) - 1);
    }

    /// The ways that the model's library weighs for a collective, the one that it takes first; none where the
    /// model has no such library, or where that has no choice. \throws as collective() does
    [[nodiscard]] virtual std::vector<Alternative> alternatives(const graph::Collective& collective,
                                                                const graph::Mesh& mesh) const {
        static_cast<void>(collective), static_cast<void>(mesh);
        return {};
    }

    /// A collective that a schedule spells out, where the model has its own way of playing one; nothing: it
    /// is played message by message on what the model says of messages (ScheduledNetwork). \param scale  of
    /// the schedule's messages and computation
    [[nodiscard]] virtual std::optional<Seconds> scheduled(const netsim::Schedule& /*schedule*/,
                                                           double /*scale*/,
                                                           const graph::Collective& /*collective*/,
                                                           const graph::Mesh& /*mesh*/) const {
        return std::nullopt;
    }

    /// What all times are whole multiples of, those of other models as well, which are cut to it; 0 s where
    /// the network has no clock of its own.
    [[nodiscard]] virtual Seconds tick() const { return Seconds{}; }

    /// What times of kernels are whole multiples of, and never less than, where traces that they are written
    /// to have to hold them as they are; 0 s: nothing.
    [[nodiscard]] virtual Seconds kernel_tick() const { return Seconds{}; }

    /// Whether a device has one communication at a time, in the order of its program: all collectives,
    /// messages and copies on one queue (graph::Queues::one).
    [[nodiscard]] virtual bool has_one_queue() const { return false; }

    /// Whether its answers depend on the algorithms that the network's dimensions name.
    [[nodiscard]] virtual bool knows_algorithms() const { return false; }

    /// Whether what is under way at the same time shares the network, so that no time is known beforehand:
    /// collective() and transfer() say what it would be on an idle one, and play() plays it.
    [[nodiscard]] virtual bool shares_everything() const { return false; }

    /// \return nothing under way yet; nullptr where the network knows of no time that goes on
    [[nodiscard]] virtual std::unique_ptr<NetworkPlay> play(const graph::Mesh& /*mesh*/) const {
        return nullptr;
    }
};

}  // namespace dse::model
