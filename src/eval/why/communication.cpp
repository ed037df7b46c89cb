#include "dse/eval/why/communication.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dse/eval/machine.hpp"
#include "dse/model/network/bus_factor.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "dse/netsim/registry.hpp"

namespace dse::eval {
namespace {

using graph::Collective;
using graph::MeshAxis;

/// Whether the scenario's network model uses the cluster's network dimensions rather than two levels.
bool sees_dimensions(const study::Scenario& scenario) {
    const hardware::NetworkSpec& network = scenario.system.cluster.network;
    return !network.dimensions.empty() &&
           netsim::network_models().find(scenario.fidelity.network)(network)->traits().knows_algorithms;
}

hardware::DimensionList dimensions_of(const study::Scenario& scenario) {
    hardware::NetworkSpec network = scenario.system.cluster.network;
    if (!sees_dimensions(scenario)) network.dimensions.resize(0);
    return model::job_dimensions(network, scenario.system.devices);
}

std::string name_of(std::size_t d, const hardware::DimensionSpec& dimension,
                    const study::Scenario& scenario) {
    if (sees_dimensions(scenario)) {
        const auto kind = choice_names(dimension.kind)[static_cast<std::size_t>(dimension.kind)];
        return fmt::format("dimension {} ({})", d, kind);
    }
    const bool has_domains = scenario.system.cluster.network.scale_up.occupied(scenario.system.devices) > 1;
    return d == 0 && has_domains ? "scale_up" : "scale_out";
}

/// Rate at which one device can send along a dimension, over all of its links.
BytesPerSecond line_rate(const hardware::DimensionSpec& dimension) {
    switch (dimension.kind) {
        case hardware::DimensionKind::ring:
        case hardware::DimensionKind::mesh:
            return dimension.link.bandwidth * (dimension.size > 2 ? 2.0 : 1.0);
        case hardware::DimensionKind::fully_connected:
            return dimension.link.bandwidth * static_cast<double>(dimension.size - 1);
        case hardware::DimensionKind::switched:
            break;
    }
    return dimension.link.bandwidth;
}

/// Accumulates the rows and tiers of one stage.
class Counter {
  public:
    Counter(const PlayedPoint& point, const Explanation& explanation)
        : point_{point}, mesh_{point.graph().mesh}, dimensions_{dimensions_of(*explanation.scenario)} {
        for (Tier& tier : tiers_of(*explanation.scenario)) uses_.push_back({std::move(tier), 0.0, 0.0, 0.0});
    }

    void count(const sim::Span& span) {
        const double inside = point_.window().share(span.start, span.end);
        if (span.end > span.start && inside == 0.0) return;
        const double share = span.end > span.start ? inside / (span.end - span.start) : 1.0;
        add(row_of(span), span.work, span, share / point_.steps());
    }

    void expose(const sim::Exposure& exposure) {
        CommunicationRow& row = row_of(point_.dependencies().at(exposure.who));
        row.needed += exposure.needed * point_.scale();
        row.queued += exposure.queued * point_.scale();
        row.held += exposure.held * point_.scale();
    }

    void count_barrier(double seconds) {
        const auto* collective =
            std::get_if<Collective>(&point_.graph().works[point_.graph().barrier.index()]);
        if (collective == nullptr || seconds == 0.0) return;
        CommunicationRow& row = row_of(*collective);
        row.count += 1.0;
        row.bytes += collective->size.value();
        row.seconds += seconds;
        row.held += seconds;
        send(row, model::bytes_by_tier(*collective, mesh_, dimensions_), 1.0, seconds);
    }

    Communication take(double iteration_time) {
        Communication result;
        for (auto& [key, row] : rows_) {
            if (row.seconds > 0.0) {
                row.algorithm_bandwidth = row.bytes / row.seconds;
                row.bus_bandwidth = row.algorithm_bandwidth * factor_[key];
            }
            result.rows.push_back(std::move(row));
        }
        std::sort(result.rows.begin(), result.rows.end(),
                  [](const CommunicationRow& a, const CommunicationRow& b) {
                      return std::tuple(b.exposed(), b.seconds, a.what, a.group) <
                             std::tuple(a.exposed(), a.seconds, b.what, b.group);
                  });
        for (TierUse& use : uses_)
            use.utilization = use.bytes / (use.tier.bandwidth.value() * iteration_time);
        result.tiers = std::move(uses_);
        return result;
    }

  private:
    using Key = std::tuple<int, std::size_t, int>;  // kind, group, members

    CommunicationRow& row_of(const sim::Span& span) {
        const graph::Work& work = point_.graph().works[span.work.index()];
        if (const auto* collective = std::get_if<Collective>(&work)) return row_of(*collective);
        const Key key{-1, graph::group_index(MeshAxis::pipeline), 0};
        const auto [found, is_new] = rows_.try_emplace(key);
        if (is_new) {
            found->second.what = "message";
            found->second.group = graph::name(MeshAxis::pipeline);
            found->second.ranks = 2;
            factor_[key] = 1.0;
        }
        return found->second;
    }

    CommunicationRow& row_of(const Collective& collective) {
        const Key key{static_cast<int>(collective.kind), graph::group_index(collective.axes),
                      static_cast<int>(collective.members)};
        const auto [found, is_new] = rows_.try_emplace(key);
        if (is_new) {
            CommunicationRow& row = found->second;
            row.what = name(collective.kind);
            row.group = graph::name(collective.axes);
            row.ranks = collective.members == graph::Members::all ? mesh_.degree(collective.axes) : 2;
            factor_[key] = model::bus_factor(collective.kind, row.ranks);
        }
        return found->second;
    }

    void add(CommunicationRow& row, graph::WorkId id, const sim::Span& span, double times) {
        const graph::Work& work = point_.graph().works[id.index()];
        const double seconds = (span.end - span.start) * point_.unit() * times;
        row.count += times;
        row.seconds += seconds;
        if (const auto* collective = std::get_if<Collective>(&work)) {
            row.bytes += collective->size.value() * times;
            send(row, bytes_of(id, *collective), times, seconds);
            return;
        }
        // An incoming message does not use this device's send bandwidth.
        const Bytes size = std::get<graph::Transfer>(work).size;
        row.bytes += size.value() * times;
        if (!sim::is_received(span, point_.graph())) send(row, message(size, span), times, seconds);
    }

    /// Bytes by tier of a collective; computed once per work.
    const model::TierBytes& bytes_of(graph::WorkId id, const Collective& collective) {
        const auto [found, is_new] = bytes_.try_emplace(id);
        if (!is_new) return found->second;
        if (collective.members == graph::Members::all) {
            found->second = model::bytes_by_tier(collective, mesh_, dimensions_);
        } else {
            // Two stages exchange and add vectors: each sends the whole vector once.
            found->second = model::bytes_by_tier(collective.size, mesh_, 0,
                                                 mesh_.degree(MeshAxis::pipeline) - 1, dimensions_);
        }
        return found->second;
    }

    model::TierBytes message(Bytes size, const sim::Span& span) const {
        const std::uint32_t stage = point_.busiest_stage();
        const graph::Peer to = graph::destination_of(span.task, stage, point_.graph().schedule);
        return model::bytes_by_tier(size, mesh_, stage, to.stage, dimensions_);
    }

    void send(CommunicationRow& row, const model::TierBytes& bytes, double times, double seconds) {
        for (std::size_t d = 0; d < uses_.size(); ++d) {
            if (bytes[d] == 0.0) continue;
            row.sent[d] += bytes[d] * times;
            uses_[d].bytes += bytes[d] * times;
            uses_[d].seconds += seconds;
        }
    }

    const PlayedPoint& point_;
    const graph::Mesh& mesh_;
    hardware::DimensionList dimensions_;
    std::map<Key, CommunicationRow> rows_;
    std::map<Key, double> factor_;
    std::map<graph::WorkId, model::TierBytes> bytes_;
    std::vector<TierUse> uses_;
};

}  // namespace

std::vector<Tier> tiers_of(const study::Scenario& scenario) {
    const hardware::DimensionList dimensions = dimensions_of(scenario);
    std::vector<Tier> tiers;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
        tiers.push_back({name_of(d, dimensions[d], scenario), dimensions[d].size, line_rate(dimensions[d])});
    return tiers;
}

Communication communication_of(const PlayedPoint& point, const Explanation& explanation) {
    Counter counter{point, explanation};
    for (const sim::Span& span : point.busiest().spans) {
        if (!span.is_loss && sim::communicates(point.graph().works[span.work.index()])) counter.count(span);
    }
    for (const sim::Exposure& exposure :
         sim::exposures(point.dependencies(), point.graph(), point.busiest_stage(), point.window())) {
        counter.expose(exposure);
    }
    if (point.steps() == 1.0) counter.count_barrier(explanation.durations->barrier * point.unit());
    return counter.take(explanation.result.iteration_time);
}

}  // namespace dse::eval
