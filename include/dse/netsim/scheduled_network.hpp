#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "dse/hardware/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/schedule/schedule.hpp"

namespace dse::netsim {

/// Any network model whose communication library has collectives from trace files (CollectiveSpec::schedules)
/// beside its own: groups of as many members as a schedule has run it, all others what the model says.
///
/// A schedule is one kernel of the library: its launch is paid once, that of messages never. Its messages
/// grow with the collective's size. They share links where the model knows of links (flow), with all other
/// groups over the same axes; else each device sends and receives one message at a time (PortPlay), and the
/// group of rank 0 stands for all. Each (collective, group) is played once.
class ScheduledNetwork final : public model::NetworkModel {
  public:
    using Make = std::function<std::unique_ptr<model::NetworkModel>(const hardware::NetworkSpec&)>;

    /// \param make  the model
    /// \throws InputError where a schedule cannot be read, or would never end; ModelError where everything
    /// shares the network, as collectives are then no schedules
    ScheduledNetwork(const hardware::NetworkSpec& network, const Make& make);

    [[nodiscard]] Seconds collective(const graph::Collective& collective,
                                     const graph::Mesh& mesh) const override;
    [[nodiscard]] Seconds transfer(Bytes size, const graph::Mesh& mesh, std::int64_t from,
                                   std::int64_t to) const override {
        return inner_->transfer(size, mesh, from, to);
    }
    [[nodiscard]] Seconds exchange(const graph::Collective& collective,
                                   const graph::Mesh& mesh) const override {
        return inner_->exchange(collective, mesh);
    }
    /// The schedule that it runs first.
    [[nodiscard]] std::vector<model::Alternative> alternatives(const graph::Collective& collective,
                                                               const graph::Mesh& mesh) const override;
    [[nodiscard]] Seconds tick() const override { return inner_->tick(); }
    [[nodiscard]] Seconds kernel_tick() const override { return inner_->kernel_tick(); }
    [[nodiscard]] bool has_one_queue() const override { return inner_->has_one_queue(); }
    [[nodiscard]] bool knows_algorithms() const override { return inner_->knows_algorithms(); }
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> play(const graph::Mesh& mesh) const override {
        return inner_->play(mesh);
    }

  private:
    struct Row {
        graph::CollectiveKind kind;
        Bytes size;
        Schedule schedule;
    };
    using Key = std::tuple<const Row*, double, std::uint8_t, decltype(graph::Mesh::size),
                           decltype(graph::Mesh::order)>;

    [[nodiscard]] const Row* find(const graph::Collective& collective, std::int64_t members) const;
    [[nodiscard]] Seconds play(const Row& row, const graph::Collective& collective,
                               const graph::Mesh& mesh) const;

    Seconds launch_;
    std::unique_ptr<model::NetworkModel> inner_;
    std::unique_ptr<model::NetworkModel> messages_;  ///< the same, whose messages need no launch
    std::vector<Row> rows_;
    mutable std::map<Key, Seconds> played_;
};

}  // namespace dse::netsim
