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

/// Translates the computations of a program to regions of a graph.
class Lowerer {
  public:
    Lowerer(const ir::Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign);
    Lowered run();

  private:
    /// Leaves by value: of the results of a computation, or of its arguments.
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
    /// New leaves for a node's results, with their own buffers unless they are written in place.
    Leaves make_results(const ir::Operation& operation, graph::ValueRef made, graph::StreamId stream,
                        graph::MemoryKind kind);
    Leaf made_by(graph::ValueRef ref, graph::StreamId stream);
    /// Memory of the operand that the result overwrites; no_memory if there is none.
    [[nodiscard]] MemoryId memory_in_place(const ir::Operation& operation) const;

    /// The label from the program's source if it has one, else the operation's name.
    [[nodiscard]] std::string_view label_of(const ir::Operation& operation) const;
    /// Kind of a buffer of this type: host memory if the type says so, else `on_device`.
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
    std::unordered_map<std::size_t, Leaves> under_way_;  ///< by first result of a start: results of its done
    std::vector<std::int64_t> counts_;
    graph::WorkId marker_;
};

}  // namespace dse::frontend
