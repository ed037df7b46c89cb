#pragma once

#include <array>
#include <vector>

#include "body_builder.hpp"

namespace dse::frontend {

/// The pass of a microbatch that a region is for.
struct TaskKind {
    BodyPass pass{BodyPass::forward};
    bool first{false};  ///< first microbatch of an iteration: updated parameters arrive
    bool last{false};   ///< last microbatch: gradients are reduced
};

/// Options shared by all tasks of a graph.
struct TaskOptions {
    std::int64_t zero{0};      ///< ZeRO stage, 0 without data parallelism
    std::int64_t prefetch{0};  ///< blocks that ZeRO-3 gathers ahead
    bool gathers_last{false};  ///< ZeRO-3's backward passes gather after they have issued their reductions
    bool gathers_root{false};  ///< ZeRO-3 gathers and reduces what lies outside of layers around each pass
    bool reshards{true};  ///< ZeRO-3 frees parameters after each pass; else they are kept for the iteration
    std::int64_t offload_prefetch{0};  ///< number of blocks ahead of use that activations are fetched back
    bool data_parallel{false};
    bool accumulates_whole{false};  ///< ZeRO-2 and -3 reduce gradients with the last microbatch only
    bool reduces_late{false};       ///< all gradients are reduced after the stage's last task
    bool gathers_early{false};      ///< all parameters are gathered before the stage's first task
    bool host_launches{false};
    bool splits_backward{false};
    bool has_whole_backward{false};  ///< there are unsplit backward passes in addition to split ones
    bool sends_gradients{false};     ///< reduced gradients are copied to the host, which updates parameters
    bool host_waits{false};          ///< the host waits for messages before it launches more kernels
    bool reduces_maxima{false};      ///< maxima of fp8 operands are reduced at the end of each pass
    bool keeps_outputs{false};       ///< what a stage sends on stays until the backward pass
    bool forward_only{false};
};

/// Builds the regions of tasks: a pass of one microbatch through the units of a chunk. Consecutive equal
/// blocks become repeats of one body, which all tasks share.
class TaskBuilder {
  public:
    /// \param states  by block; like all other arguments, must outlive the builder
    TaskBuilder(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                const std::vector<BlockState>& states, const TaskOptions& options, Structure& structure);

    /// \param boundary  buffer of a message between stages
    /// \param nothing   a work without duration
    /// \param launch    of the host, for one end of a message
    void set_boundary(graph::BufferId boundary, graph::WorkId nothing, graph::WorkId launch) {
        boundary_ = boundary;
        nothing_ = nothing;
        launch_message_ = launch;
    }

    /// \param maxima    the reduction of the maxima of fp8 operands
    /// \param launches  of the host, for its kernels
    void set_maxima(graph::WorkId maxima, graph::WorkId launches) {
        maxima_ = maxima;
        launch_maxima_ = launches;
    }

    /// \param units    in the order of the pass; not empty
    /// \param program  program of the stage; the counts of the repeats are added to it
    graph::RegionId make(const std::vector<Unit>& units, const TaskKind& kind, graph::StageProgram& program);

  private:
    class Task;
    graph::RegionId body(std::size_t block, BodyPass pass, const BodyVariant& variant);
    [[nodiscard]] BodyVariant variant_of(const TaskKind& kind) const;
    [[nodiscard]] bool adds_shards() const;

    struct Known {
        std::size_t block{0};
        BodyPass pass{BodyPass::forward};
        BodyVariant variant;
        graph::RegionId region;
    };

    std::span<const Block> blocks_;
    std::span<const BlockPlans> plans_;
    const std::vector<BlockState>& states_;
    TaskOptions options_;
    Structure& structure_;
    std::array<std::vector<BodyBuilder>, 4> builders_;  ///< by pass and block
    std::vector<Known> known_;
    graph::BufferId boundary_;
    graph::WorkId nothing_;
    graph::WorkId launch_message_;
    graph::WorkId maxima_;
    graph::WorkId launch_maxima_;
};

}  // namespace dse::frontend
