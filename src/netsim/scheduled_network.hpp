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

/// Any network model, extended by collectives from trace files (CollectiveSpec::schedules): a group that has
/// as many members as a schedule uses the schedule, all others use the model.
///
/// A schedule is one kernel of the library: its launch is charged once, that of its messages never. Its
/// message sizes scale with the collective's size. If the model simulates links (flow), the messages share
/// them with those of all other groups over the same axes; else each device sends and receives one message at
/// a time (PortPlay), and the group of rank 0 represents all. Each (collective, group) is simulated once.
class ScheduledNetwork final : public model::NetworkModel {
  public:
    using Make = std::function<std::unique_ptr<model::NetworkModel>(const hardware::NetworkSpec&)>;

    /// \param make  creates the underlying model
    /// \throws InputError if a schedule cannot be read, or would never end; ModelError if all traffic shares
    ///         the network, because schedules are not supported then
    ScheduledNetwork(const hardware::NetworkSpec& network, const Make& make);

    [[nodiscard]] Seconds time(const model::Communication& what) const override;
    /// The schedule that is used comes first.
    [[nodiscard]] std::vector<model::Alternative> alternatives(
        const model::Communication& what) const override;
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> play(const graph::Mesh& mesh) const override {
        return inner_->play(mesh);
    }

  private:
    struct Row {
        graph::CollectiveKind kind{};
        Bytes size;
        Schedule schedule;
    };
    using Groups = std::vector<std::vector<std::int64_t>>;
    using Key = std::tuple<const Row*, double, std::uint8_t, decltype(graph::Mesh::size),
                           decltype(graph::Mesh::order)>;

    ScheduledNetwork(const hardware::NetworkSpec& network, std::unique_ptr<model::NetworkModel> inner,
                     const Make& make);

    /// Returns the row to use; nullptr: the underlying model applies.
    [[nodiscard]] const Row* find(const model::Communication& what) const;
    [[nodiscard]] Seconds over(const Row& row, Bytes size, const model::AxisGroups& groups) const;
    /// nullptr: links are not shared, or the model simulates schedules itself
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> links_of(const graph::Mesh& mesh) const;
    [[nodiscard]] Seconds play(const Row& row, Bytes size, const Groups& groups,
                               const std::unique_ptr<model::NetworkPlay>& links, std::int64_t devices) const;

    Seconds launch_;
    std::unique_ptr<model::NetworkModel> inner_;
    std::unique_ptr<model::NetworkModel> messages_;  ///< the same model without launch time per message
    const SchedulePlayer* player_;                   ///< `messages_`, if it can simulate schedules itself
    std::vector<Row> rows_;
    mutable std::map<Key, Seconds> played_;
};

}  // namespace dse::netsim
