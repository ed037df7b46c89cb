#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/network/dimension_cost.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/spread.hpp"

namespace dse::model {

/// Latency–bandwidth model of any nesting of rings, meshes, switches and full connections.
///
/// A group works along each dimension that it spans: all-reduce scatters from the innermost dimension
/// outwards and gathers on the way back, each dimension processing the vector divided by the members of the
/// previous ones; all-to-all passes the whole vector along each dimension. Chunks are pipelined through the
/// dimensions, which work concurrently: with C chunks, and T_d the busy time of dimension d, the transfer
/// takes max T_d + (ΣT_d − max T_d)/C. With order `balanced`, each chunk passes through the dimensions from
/// the least to the most loaded, if that is faster. A double binary tree is only possible on the outermost
/// dimension of a group. Latency and transfer time are combined according to CollectiveSpec. With
/// `ascending`, more bandwidth or less latency is never slower. Validity: one collective at a time per
/// device; chunks large compared with the latency. Source: Cho et al., BlueConnect, 2019 (phases); Rashidi et
/// al., Themis, ISCA 2022 (order).
class MultiDim final : public NetworkModel {
  public:
    explicit MultiDim(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    using NetworkModel::collective;

    /// The same for a group of known shape. \param dimensions  all dimensions of the job
    [[nodiscard]] Seconds collective(graph::CollectiveKind kind, Bytes size,
                                     const hardware::DimensionList& dimensions, const Spread& group) const;

  private:
    [[nodiscard]] Seconds over(graph::CollectiveKind kind, Bytes size, const AxisGroups& groups) const;
    [[nodiscard]] Seconds message(Bytes size, const StagePairs& pairs) const;

    hardware::NetworkSpec network_;
    Blend blend_;
};

}  // namespace dse::model
