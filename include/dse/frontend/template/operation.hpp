#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/frontend/template/tensor.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/graph/work.hpp"

namespace dse::frontend {

/// An extent of a kernel: a dimension, and the letter whose sharding divides it ('\0': it is never divided).
struct Factor {
    DimId dim;
    char letter{'\0'};
};

/// batch × (m × k)(k × n), each a product of extents. Empty where a kernel is no matrix product.
struct GemmFactors {
    std::vector<Factor> batch;
    std::vector<Factor> m;
    std::vector<Factor> n;
    std::vector<Factor> k;
    [[nodiscard]] bool empty() const { return batch.empty() && m.empty() && n.empty() && k.empty(); }
};

/// A tensor, or its gradient, as a kernel reads or writes it.
struct Use {
    TensorId tensor;
    bool gradient{false};
    double passes{1.0};  ///< how often its bytes cross the memory bus
};

/// Memory traffic of a kernel besides its tensors: rows picked from a table, states of a scan.
struct Traffic {
    std::vector<Factor> extents;
    Storage storage{Storage::activation};
    double passes{1.0};
};

/// One kernel of an operation's forward or backward pass.
struct Piece {
    graph::OpClass op_class{graph::OpClass::elementwise};
    GemmFactors gemm;
    /// FLOPs as multiples of 2 · batch · m · n · k: what the model asks for and what runs. By convention a
    /// model asks for those of matrix products and scans alone (docs/theory/work.md); what runs of others may
    /// say so.
    double model_factor{0.0};
    double executed_factor{0.0};
    std::vector<Use> reads;
    std::vector<Use> writes;
    std::vector<Traffic> traffic;
    /// Device memory traffic where it does not follow from reads and writes (a loss kernel): bytes an element
    /// of the first tensor that is read; 0: it follows.
    double bytes_per_element{0.0};
    /// Memory that it takes while it runs: bytes an element of the first tensor that is read.
    double workspace_per_element{0.0};
    double kernels{1.0};        ///< compiled
    double eager_kernels{1.0};  ///< run operator by operator
    bool weight_gradient{false};
};

/// An operator of a block over its tensors' dimensions. Every dimension has a letter, as in an einsum:
/// dimensions with the same letter are split together. That one rule gives the sharding of everything: the
/// wanted layout of each operand, the layout of each result, and the axes over which a result is only a
/// partial sum (those that split a letter which the result does not have).
struct Operation {
    struct Operand {
        TensorId tensor;
        std::string letters;  ///< one a dimension
    };

    /// Carries tokens from the attention's folding of the devices to the experts', or back. Every device
    /// takes or gets its own tokens, so that nothing is sent here: what the attention's axes do not split
    /// yet they split along `token`, and all of the experts' axes split along `row`. What follows wants the
    /// rows sorted by expert: there the all-to-all appears. Where a group of devices that has all of its
    /// tokens everywhere also has all experts (RoutedTokens::everywhere), each makes the rows of its own
    /// `expert`s alone, and adds up what these make of a token.
    struct Refolding {
        char token{'s'};
        char row{'c'};
        char expert{'e'};
    };

    std::string kind;
    std::vector<Operand> operands;
    std::vector<Operand> results;  ///< also what it saves for its own backward pass
    /// Mesh axes that split this letter here, whatever they split, or do not, in the operands.
    struct Move {
        graph::AxisSet axes;
        char letter{'\0'};
    };

    /// Letters that must be whole on every device: normalised or scanned dimensions.
    std::string whole;
    /// Those of them that context parallelism may split all the same.
    std::string context_split;
    /// Of these, the one whose shards go round the context-parallel ranks while the kernel runs on one at a
    /// time.
    char circulating{'\0'};
    /// Queries see keys before them only: of two chunks of a sequence, the later one's queries see all of the
    /// earlier.
    bool causal{false};
    std::vector<Move> moves;
    /// No kernel: its results are its one operand's memory, all of it or side by side, in the layout that
    /// this operation wants.
    bool view{false};
    /// Extents that must divide like their letter although no kernel has them (key-value heads).
    std::vector<Factor> indivisible;
    /// One of these that is copied where more devices than it has split its letter (inference).
    std::optional<DimId> replicable;
    /// A sum of partial sums is a partial sum: operands need not be reduced one by one.
    bool linear{false};
    std::optional<Refolding> refolding;
    /// Parts of the cache that its kernel reads (inference).
    std::vector<Operand> cached;
    /// The cache that it writes to, whole, as it lies on a device (inference).
    std::optional<Operand> resident;
    Piece forward;
    std::vector<Piece> backward;
    /// Operands whose gradient is the result's gradient, unchanged (the two sides of a residual addition).
    std::vector<std::size_t> passes_gradient;
    config::Location where;

    /// Whether gradients start here: its backward pass needs none to come in.
    [[nodiscard]] bool is_loss() const;
    [[nodiscard]] bool circulates(const Operand& operand) const {
        return circulating != '\0' && operand.letters.find(circulating) != std::string::npos;
    }

    [[nodiscard]] const std::string& letters_of(TensorId tensor) const;
};

}  // namespace dse::frontend
