#pragma once

#include <array>
#include <vector>

#include "body_builder.hpp"

namespace dse::frontend {

/// Which of the passes of a microbatch a region is for.
struct TaskKind {
    BodyPass pass{BodyPass::forward};
    bool first{false};  ///< first microbatch of an iteration: updated parameters arrive
    bool last{false};   ///< last one: gradients are reduced
};

/// What the tasks of a graph have in common.
struct TaskOptions {
    std::int64_t zero{0};      ///< ZeRO stage, 0 without data parallelism
    std::int64_t prefetch{0};  ///< blocks that ZeRO-3 gathers ahead
    bool reshards{true};  ///< ZeRO-3 drops parameters after each pass; else they stay through the iteration
    std::int64_t offload_prefetch{0};  ///< blocks ahead of their use that activations are called back
    bool data_parallel{false};
    bool accumulates_whole{false};  ///< ZeRO-2 and -3 reduce gradients with the last microbatch only
    bool reduces_late{false};       ///< gradients, all of them, once the stage has done its last task
    bool gathers_early{false};      ///< parameters, all of them, before it does its first one
    bool host_launches{false};
    bool splits_backward{false};
    bool has_whole_backward{false};  ///< beside split ones
    bool sends_gradients{false};     ///< reduced gradients go to the host, which updates
    bool host_waits{false};          ///< for messages, before it launches on
    bool forward_only{false};
};

/// Makes the regions of tasks: the pass of one microbatch through the units of a chunk. Equal rows of blocks
/// are repeats of one body, which all tasks share.
class TaskBuilder {
  public:
    /// \param states  by block; outlives the builder, like all else
    TaskBuilder(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                const std::vector<BlockState>& states, const TaskOptions& options, Structure& structure);

    /// \param boundary  the buffer of a message between stages
    /// \param nothing   a work that takes no time
    void set_boundary(graph::BufferId boundary, graph::WorkId nothing) {
        boundary_ = boundary;
        nothing_ = nothing;
    }

    /// \param units    in the order of the pass, not empty
    /// \param program  of the stage; gets the counts of the repeats
    graph::RegionId make(const std::vector<Unit>& units, const TaskKind& kind, graph::StageProgram& program);

  private:
    class Task;
    graph::RegionId body(std::size_t block, BodyPass pass, const BodyVariant& variant);
    [[nodiscard]] BodyVariant variant_of(const TaskKind& kind) const;
    [[nodiscard]] bool adds_shards() const;

    struct Known {
        std::size_t block;
        BodyPass pass;
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
};

}  // namespace dse::frontend
