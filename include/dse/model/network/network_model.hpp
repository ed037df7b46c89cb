#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/model/network/communication.hpp"
#include "dse/model/network/network_play.hpp"

namespace dse::model {

/// A way to run a collective that a library has.
struct Alternative {
    std::string name;  ///< algorithm and protocol
    Seconds time;      ///< that it takes
    Seconds expected;  ///< by the library's own reckoning, which decides
};

/// What holds of a network model whatever it is asked.
struct NetworkTraits {
    /// What all times are whole multiples of, those of other models as well, which are cut to it; 0 s: the
    /// network has no clock of its own.
    Seconds tick{};
    /// What times of kernels are whole multiples of, and never less than, where traces that they are written
    /// to have to hold them as they are; 0 s: nothing.
    Seconds kernel_tick{};
    /// A device has one communication at a time, in the order of its program: all collectives, messages and
    /// copies on one queue (graph::Queues::one).
    bool one_queue{false};
    /// Answers depend on the algorithms that the network's dimensions name.
    bool knows_algorithms{false};
    /// What is under way at the same time shares the network, so that no time is known beforehand: time()
    /// says what it would be on an idle one, and play() plays it.
    bool shares_everything{false};
    /// Traces are replayed by ASTRA-sim's rules, node by node (sim::replay), not by times of messages and
    /// collectives.
    bool replays_as_astra_sim{false};

    friend bool operator==(const NetworkTraits&, const NetworkTraits&) = default;
};

/// Time of communication on an otherwise idle network. Implementations are pure.
class NetworkModel {
  public:
    NetworkModel(const NetworkModel&) = delete;
    NetworkModel& operator=(const NetworkModel&) = delete;
    virtual ~NetworkModel() = default;

    [[nodiscard]] const NetworkTraits& traits() const { return traits_; }

    /// A group of one costs nothing, nor does a message to oneself.
    /// \throws ModelError when the groups do not fit the machine in a way that the model knows
    [[nodiscard]] virtual Seconds time(const Communication& what) const = 0;

    /// The ways that the model's library weighs for a collective, the one that it takes first; none where the
    /// model has no such library, or where that has no choice. \throws as time() does
    [[nodiscard]] virtual std::vector<Alternative> alternatives(const Communication& /*what*/) const {
        return {};
    }

    /// \return nothing under way yet; nullptr where the network knows of no time that goes on
    [[nodiscard]] virtual std::unique_ptr<NetworkPlay> play(const graph::Mesh& /*mesh*/) const {
        return nullptr;
    }

    /// Of a collective of a graph.
    [[nodiscard]] Seconds collective(const graph::Collective& collective, const graph::Mesh& mesh) const {
        return time(communication(collective, mesh));
    }
    /// Of a message from every rank of a stage to its peer of another one.
    [[nodiscard]] Seconds transfer(Bytes size, const graph::Mesh& mesh, std::int64_t from,
                                   std::int64_t to) const {
        return time({std::nullopt, size, StagePairs{&mesh, from, to}});
    }

  protected:
    NetworkModel() = default;
    explicit NetworkModel(const NetworkTraits& traits) : traits_{traits} {}

  private:
    NetworkTraits traits_;
};

}  // namespace dse::model
