#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/frontend/lowering/lower.hpp"
#include "dse/graph/stream_table.hpp"
#include "frame.hpp"
#include "frontend/lowering/kernel.hpp"
#include "graph_tables.hpp"
#include "heaviest_branch.hpp"
#include "leaf.hpp"
#include "lifetimes.hpp"
#include "program_groups.hpp"
#include "program_values.hpp"

namespace dse::frontend {

/// Turns the computations of a program into regions of a graph.
class Lowerer {
  public:
    Lowerer(const ir::Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign);
    Lowered run();

  private:
    /// By value of a computation's results, or of its arguments.
    using Values = std::vector<Leaves>;

    // Computations.
    Values play(ir::ComputationId id, const Values& arguments);
    void play(const ir::Operation& operation, const Values& arguments);
    void pass_on(const ir::Operation& operation, const Values& arguments);
    void play_kernel(const ir::Operation& operation);
    void play_copy(const ir::Operation& operation);
    void play_communication(const ir::Operation& operation);
    void play_done(const ir::Operation& operation);
    // Control (lowerer_control.cpp).
    void play_control(const ir::Operation& operation);
    void play_call(const ir::Operation& operation);
    void play_conditional(const ir::Operation& operation);
    void play_async_start(const ir::Operation& operation);
    // Loops (lowerer_loop.cpp).
    void play_loop(const ir::Operation& operation);
    Values state_of_loop(const Leaves& inits, const ir::Operation& operation);
    std::vector<char> allocate_states(const Leaves& inits, const Leaves& state, const Leaves& next);
    void finish_loop(const ir::Operation& operation, const Leaves& inits, const Leaves& state,
                     const Values& results);
    graph::CountId count_of(const ir::Operation& operation);

    // Nodes.
    struct Node {
        graph::Work work;
        graph::StreamId stream;
        graph::NameId name;
    };
    graph::ValueRef add_node(const Node& node, const Leaves& inputs);
    void open_frame(std::string name);
    void close_frame();
    [[nodiscard]] Frame& frame() { return frames_.back(); }
    graph::ValueRef reach(const Leaf& leaf);
    void use_memory(const Leaf& leaf);

    // Values.
    /// New leaves of a node's results, with buffers of their own but for those whose memory is given.
    Leaves make_results(const ir::Operation& operation, graph::ValueRef made, graph::StreamId stream,
                        graph::MemoryKind kind);
    Leaf made_by(graph::ValueRef ref, graph::StreamId stream);
    /// The operand that a result is written over; none.
    [[nodiscard]] MemoryId memory_in_place(const ir::Operation& operation) const;

    /// What it is called by whoever wrote the program, or else by its language.
    [[nodiscard]] std::string_view label_of(const ir::Operation& operation) const;
    /// Of a buffer of that type, `on_device` unless it says that it lies on the host.
    [[nodiscard]] graph::MemoryKind kind_of(ir::TypeId type, graph::MemoryKind on_device) const;
    void finish_graph(const Values& results);

    const ir::Program& program_;
    const LoweringOptions& options_;
    KernelCosts kernels_;
    Lowered lowered_;
    GraphTables tables_;
    Lifetimes lifetimes_;
    ProgramGroups groups_;
    std::vector<Frame> frames_;
    ProgramValues values_;
    HeaviestBranch branches_;
    graph::StreamTable streams_;
    std::unordered_map<std::size_t, Leaves> under_way_;  ///< by the start's first result: what its done gives
    std::vector<std::int64_t> counts_;
    graph::WorkId marker_;
};

}  // namespace dse::frontend
