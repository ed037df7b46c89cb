#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/frontend/template/tensor.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/work.hpp"

namespace dse::frontend {

/// An extent of a kernel: a dimension, and the letter whose sharding divides it ('\0': never divided).
struct Factor {
    DimId dim;
    char letter{'\0'};
};

/// batch × (m × k)(k × n), each a product of extents. Empty if the kernel is not a matrix product.
struct GemmFactors {
    std::vector<Factor> batch;
    std::vector<Factor> m;
    std::vector<Factor> n;
    std::vector<Factor> k;
    [[nodiscard]] bool empty() const { return batch.empty() && m.empty() && n.empty() && k.empty(); }
};

/// A kernel's access to a tensor or to its gradient.
struct Use {
    TensorId tensor;
    bool gradient{false};
    double passes{1.0};       ///< how often its bytes cross the memory bus
    double lane_cycles{0.0};  ///< graph::Compute::lane_cycles, per byte
    bool of_group{false};     ///< lane_cycles are spent on the rows of all parts of the same experts
};

/// Memory traffic of a kernel in addition to its tensors: rows gathered from a table, states of a scan.
struct Traffic {
    std::vector<Factor> extents;
    Storage storage{Storage::activation};
    double passes{1.0};
};

/// One kernel of an operation's forward or backward pass.
struct Piece {
    graph::OpClass op_class{graph::OpClass::elementwise};
    GemmFactors gemm;
    /// Model FLOPs and executed FLOPs, as multiples of 2 · batch · m · n · k. By convention only matrix
    /// products and scans have model FLOPs (docs/theory/work.md); other kernels may have executed ones.
    double model_factor{0.0};
    double executed_factor{0.0};
    std::vector<Use> reads;
    std::vector<Use> writes;
    std::vector<Traffic> traffic;
    /// Device memory traffic if it does not follow from reads and writes (a loss kernel), in bytes per
    /// element of the first tensor read; 0: it follows from them.
    double bytes_per_element{0.0};
    /// Workspace while it runs, in bytes per element of the first tensor read.
    double workspace_per_element{0.0};
    double kernels{1.0};        ///< number of kernels if compiled
    double eager_kernels{1.0};  ///< number of kernels if run operator by operator
    /// Passes over its operands then; 0: one for each kernel.
    double eager_passes{0.0};
    bool weight_gradient{false};
};

/// An operator of a block, described by the dimensions of its tensors. Each dimension has a letter, as in an
/// einsum: dimensions with the same letter are split together. This rule determines all sharding: the
/// required layout of each operand, the layout of each result, and the axes over which a result is only a
/// partial sum (those that split a letter which the result does not have).
struct Operation {
    struct Operand {
        TensorId tensor;
        std::string letters;  ///< one per dimension
    };

    /// Moves tokens from attention's folding of the devices to the experts', or back. Each device takes
    /// or gets its own tokens, so that nothing is sent here: the attention axes that do not split anything
    /// yet split `token`, and all expert axes split `row`. The next operation requires rows sorted by expert,
    /// which causes the all-to-all. If a group of devices holds all of its tokens on every device and also
    /// all experts (RoutedTokens::everywhere), each device computes only the rows of its own `expert`s, and
    /// the results of a token are summed over the group.
    struct Refolding {
        char token{'s'};
        char row{'c'};
        char expert{'e'};
    };

    [[nodiscard]] bool reads(TensorId tensor) const {
        return std::any_of(operands.begin(), operands.end(),
                           [tensor](const Operand& operand) { return operand.tensor == tensor; });
    }

    std::string kind;
    std::vector<Operand> operands;
    std::vector<Operand> results;  ///< includes what it saves for its own backward pass
    /// Mesh axes that split this letter here, regardless of what they split in the operands.
    struct Move {
        graph::AxisSet axes;
        char letter{'\0'};
    };

    /// Letters that must not be split: normalized or scanned dimensions.
    std::string whole;
    /// The letters of `whole` that context parallelism may split nevertheless.
    std::string context_split;
    /// The letter of `context_split` whose shards circulate among the context-parallel ranks while the kernel
    /// processes one shard at a time.
    char circulating{'\0'};
    /// Whether queries attend only to earlier keys, so that of two chunks of a sequence the queries of the
    /// later one attend to all keys of the earlier one.
    bool causal{false};
    std::vector<Move> moves;
    /// Whether it has no kernel: its results are views of its single operand's memory, whole or in parts, in
    /// the layout that this operation requires.
    bool view{false};
    /// Extents that must be divisible like their letter although no kernel uses them (key-value heads).
    std::vector<Factor> indivisible;
    /// One of `indivisible` that is replicated if its letter is split over more devices than its size
    /// (inference).
    std::optional<DimId> replicable;
    /// Whether partial sums can pass through: operands need not be reduced individually. A parameter among
    /// them is added by one device of each group.
    bool linear{false};
    /// Whether it is computed within the kernel that writes its first operand, in that operand's memory: a
    /// bias. A result of its own in memory is only needed if anything else reads the operand.
    bool in_place{false};
    /// Tiles of its tokens that it handles one after the other; each reads the parameters, or adds to their
    /// gradients, anew.
    double tiles{1.0};
    std::optional<Refolding> refolding;
    /// Parts of the cache that its kernel reads (inference).
    std::vector<Operand> cached;
    /// The whole cache that it writes to, in its layout on a device (inference).
    std::optional<Operand> resident;
    Piece forward;
    std::vector<Piece> backward;
    /// Operands whose gradient equals the result's gradient (the two sides of a residual addition).
    std::vector<std::size_t> passes_gradient;
    config::Location where;

    /// Whether gradients start here: its backward pass needs no incoming gradient.
    [[nodiscard]] bool is_loss() const;
    [[nodiscard]] bool circulates(const Operand& operand) const {
        return circulating != '\0' && operand.letters.find(circulating) != std::string::npos;
    }

    [[nodiscard]] const std::string& letters_of(TensorId tensor) const;
};

}  // namespace dse::frontend
