#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/model/network/communication.hpp"
#include "dse/model/network/network_play.hpp"

namespace dse::model {

/// One of a library's implementations of a collective.
struct Alternative {
    std::string name;  ///< algorithm and protocol
    Seconds time;      ///< predicted time
    Seconds expected;  ///< the library's own estimate, by which it chooses
};

/// General properties of a network model.
struct NetworkTraits {
    /// All times are integer multiples of this tick; times of other models are truncated to it. 0 s: the
    /// network has no clock of its own.
    Seconds tick{};
    /// Kernel times are integer multiples of this tick and at least one tick, so that traces can represent
    /// them exactly. 0 s: no restriction.
    Seconds kernel_tick{};
    /// Each device has one communication at a time, in program order: all collectives, messages and copies
    /// are on one queue (graph::Queues::one).
    bool one_queue{false};
    /// Results depend on the algorithms named by the network's dimensions.
    bool knows_algorithms{false};
    /// Concurrent communication shares the network, so that no time is known in advance: time() gives the
    /// time on an idle network, and play() simulates the sharing.
    bool shares_everything{false};
    /// Traces are replayed by ASTRA-sim's rules, node by node (sim::replay), instead of by times of messages
    /// and collectives.
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

    /// The time is 0 for a group of one and for a message to oneself.
    /// \throws ModelError if the model does not support the placement of the groups on the machine
    [[nodiscard]] virtual Seconds time(const Communication& what) const = 0;

    /// The implementations that the model's library considers for a collective, starting with the chosen one;
    /// none if the model has no such library, or if there is no choice.
    /// \throws like time()
    [[nodiscard]] virtual std::vector<Alternative> alternatives(const Communication& /*what*/) const {
        return {};
    }

    /// \return a simulation without any communication yet; nullptr unless traits().shares_everything
    [[nodiscard]] virtual std::unique_ptr<NetworkPlay> play(const graph::Mesh& /*mesh*/) const {
        return nullptr;
    }

    /// Time of a collective of a graph.
    [[nodiscard]] Seconds collective(const graph::Collective& collective, const graph::Mesh& mesh) const {
        return time(communication(collective, mesh));
    }
    /// Time of a message from every rank of a stage to its peer in another stage.
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
