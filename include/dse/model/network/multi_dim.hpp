#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/network/dimension_cost.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/spread.hpp"

namespace dse::model {

/// Latency and bandwidth over any nesting of rings, meshes, switches and full connections.
///
/// A group works along each dimension that it spans: all-reduce scatters on the way out and gathers on the
/// way back, each dimension seeing the vector divided by the members of those before; all-to-all passes the
/// whole vector along each. The chunks follow one another through the dimensions, which all work at once:
/// with C chunks, and T_d the time that dimension d works, the transfer takes max T_d + (ΣT_d − max T_d)/C.
/// Under the order `balanced` each chunk passes the dimensions from the least to the most loaded, where that
/// is sooner. A double binary tree can only serve the outermost dimension that a group spans. Latency and
/// transfer join as CollectiveSpec says. Under `ascending`, more bandwidth is never slower, nor less latency.
/// Validity: one collective at a time per device; chunks large beside the latency. Source: Cho et al.,
/// BlueConnect, 2019 (phases); Rashidi et al., Themis, ISCA 2022 (order).
class MultiDim final : public NetworkModel {
  public:
    explicit MultiDim(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    using NetworkModel::collective;

    /// The same for a group of known shape. \param dimensions  all of the job
    [[nodiscard]] Seconds collective(graph::CollectiveKind kind, Bytes size,
                                     const hardware::DimensionList& dimensions, const Spread& group) const;

  private:
    [[nodiscard]] Seconds over(graph::CollectiveKind kind, Bytes size, const AxisGroups& groups) const;
    [[nodiscard]] Seconds message(Bytes size, const StagePairs& pairs) const;

    hardware::NetworkSpec network_;
    Blend blend_;
};

}  // namespace dse::model
