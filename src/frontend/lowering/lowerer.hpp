#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/frontend/lowering/kernel.hpp"
#include "dse/frontend/lowering/lower.hpp"
#include "dse/frontend/lowering/mesh_axes.hpp"
#include "frame.hpp"
#include "graph_tables.hpp"
#include "leaf.hpp"
#include "lifetimes.hpp"

namespace dse::frontend {

/// Turns the computations of a program into regions of a graph.
class Lowerer {
  public:
    Lowerer(const ir::Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign);
    Lowered run();

  private:
    /// By value of a computation's results, or of its arguments.
    using Values = std::vector<Leaves>;

    void find_groups();
    [[nodiscard]] workload::AxisSet axes_of(const ir::Operation& operation);

    // Computations.
    Values play(ir::ComputationId id, const Values& arguments);
    void play(const ir::Operation& operation, const Values& arguments);
    void pass_on(const ir::Operation& operation, const Values& arguments);
    void play_kernel(const ir::Operation& operation);
    void play_copy(const ir::Operation& operation);
    void play_communication(const ir::Operation& operation);
    void play_control(const ir::Operation& operation);
    void play_call(const ir::Operation& operation);
    void play_conditional(const ir::Operation& operation);
    void play_async_start(const ir::Operation& operation);
    void play_done(const ir::Operation& operation);
    // Loops (lowerer_loop.cpp).
    void play_loop(const ir::Operation& operation);
    Values state_of_loop(const Leaves& inits, const ir::Operation& operation);
    void finish_loop(const ir::Operation& operation, const Leaves& inits, const Leaves& state,
                     const Values& results);
    workload::CountId count_of(const ir::Operation& operation);

    // Nodes.
    struct Node {
        workload::Work work;
        workload::StreamId stream;
        workload::NameId name;
    };
    workload::ValueRef add_node(const Node& node, const Leaves& inputs);
    void open_frame(std::string name);
    void close_frame();
    [[nodiscard]] Frame& frame() { return frames_.back(); }
    workload::ValueRef reach(const Leaf& leaf);
    void use_memory(const Leaf& leaf);

    // Values.
    void leaf_types(ir::TypeId type, std::vector<ir::TypeId>& types) const;
    [[nodiscard]] Leaves operand_leaves(const ir::Operation& operation) const;
    void set_results(const ir::Operation& operation, const Leaves& leaves);
    /// New leaves of a node's results, with buffers of their own but for those whose memory is given.
    Leaves make_results(const ir::Operation& operation, workload::ValueRef made, workload::StreamId stream,
                        workload::MemoryKind kind);
    Leaf made_by(workload::ValueRef ref, workload::StreamId stream);
    /// The operand that a result is written over; none.
    [[nodiscard]] MemoryId memory_in_place(const ir::Operation& operation) const;

    workload::StreamId stream_of(workload::AxisSet axes);
    workload::StreamId stream_of(workload::CopyDirection direction);
    workload::StreamId find_stream(const std::string& name);
    workload::NameId name_of(const ir::Operation& operation);
    double work_in(ir::ComputationId id);
    void finish_graph(const Values& results, const Values& arguments);

    const ir::Program& program_;
    const LoweringOptions& options_;
    KernelCosts kernels_;
    Lowered lowered_;
    GraphTables tables_;
    Lifetimes lifetimes_;
    DeviceGrid grid_;
    std::optional<MeshAxes> mesh_;
    std::map<ir::AttributeId, workload::AxisSet> axes_;
    std::map<ir::AttributeId, DevicePartition> partitions_;
    std::vector<Frame> frames_;
    std::vector<Leaves> values_;                         ///< by ValueId
    std::unordered_map<std::size_t, Leaves> under_way_;  ///< by the start's first result: what its done gives
    std::unordered_map<std::size_t, double> work_in_;    ///< by computation
    std::vector<std::int64_t> counts_;
    workload::WorkId marker_;
};

}  // namespace dse::frontend
