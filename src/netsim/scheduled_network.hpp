#pragma once

#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/schedule/schedule.hpp"
#include "dse/netsim/schedule/schedule_player.hpp"

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

    [[nodiscard]] Seconds time(const model::Communication& what) const override;
    /// The schedule that it runs first.
    [[nodiscard]] std::vector<model::Alternative> alternatives(
        const model::Communication& what) const override;
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> play(const graph::Mesh& mesh) const override {
        return inner_->play(mesh);
    }

  private:
    struct Row {
        graph::CollectiveKind kind;
        Bytes size;
        Schedule schedule;
    };
    using Groups = std::vector<std::vector<std::int64_t>>;
    using Key = std::tuple<const Row*, double, std::uint8_t, decltype(graph::Mesh::size),
                           decltype(graph::Mesh::order)>;

    ScheduledNetwork(const hardware::NetworkSpec& network, std::unique_ptr<model::NetworkModel> inner,
                     const Make& make);

    /// The row that runs it; nullptr: what the model says.
    [[nodiscard]] const Row* find(const model::Communication& what) const;
    [[nodiscard]] Seconds over(const Row& row, Bytes size, const model::AxisGroups& groups) const;
    /// nullptr: nothing shares links, or the model has a way of its own
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> links_of(const graph::Mesh& mesh) const;
    [[nodiscard]] Seconds play(const Row& row, Bytes size, const Groups& groups,
                               const std::unique_ptr<model::NetworkPlay>& links, std::int64_t devices) const;

    Seconds launch_;
    std::unique_ptr<model::NetworkModel> inner_;
    std::unique_ptr<model::NetworkModel> messages_;  ///< the same, whose messages need no launch
    const SchedulePlayer* player_;                   ///< it, if it has a way of its own to play schedules
    std::vector<Row> rows_;
    mutable std::map<Key, Seconds> played_;
};

}  // namespace dse::netsim
