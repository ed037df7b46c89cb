#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/dispatch.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/precision.hpp"

namespace dse::graph {

/// Class of a kernel. Device files give an efficiency for each class.
enum class OpClass : std::uint8_t {
    gemm,         ///< dense matrix product on the matrix units
    attention,    ///< fused attention kernel
    elementwise,  ///< limited by memory bandwidth: activations, residuals, casts
    normalization,
    softmax,
    embedding,  ///< row gather or scatter
    loss,       ///< cross-entropy over the vocabulary
    optimizer,  ///< one pass over parameters, gradients and optimizer states
};
inline constexpr std::size_t op_class_count = 8;
std::string_view name(OpClass op_class);

/// A matrix product: `batch` times (m × k)(k × n). All 0 if the kernel is not a matrix product.
struct GemmShape {
    double batch{0};
    double m{0};
    double n{0};
    double k{0};
};

/// One rank's share of a computation.
struct Compute {
    OpClass op_class{OpClass::elementwise};
    Precision precision{Precision::bf16};
    GemmShape gemm;
    /// FLOPs of the model, 2 per multiply-add (docs/theory/work.md 1.2): causal attention counts half,
    /// recomputation not at all, and work that several ranks repeat is divided among them.
    Flop model_flop;
    /// FLOPs that are executed: flash attention's backward pass has 2.5 × those of its forward pass,
    /// recomputation counts in full.
    Flop executed_flop;
    /// Rate of this implementation relative to the device's rate for the class, in (0, 1].
    double efficiency{1.0};
    Bytes read;     ///< device memory read, each operand once
    Bytes written;  ///< device memory written
    /// Number of device kernels. The host time to issue them is a Launch of its own.
    double kernels{1};
    /// Cycles that the lanes of the vector units, together, spend on numbers one by one: kernels that
    /// instructions limit rather than bytes. Those of products widen weights while others arrive; those of
    /// other kernels come on top of their bytes.
    double lane_cycles{0};
    bool of_experts{false};  ///< whether it is a product of a mixture's experts
};

enum class CollectiveKind : std::uint8_t {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    broadcast,
    ring_shift,  ///< every rank sends to the next rank of its group and receives from the previous one
};
std::string_view name(CollectiveKind kind);

/// Which ranks of a group take part in a collective.
enum class Members : std::uint8_t {
    all,
    ends,     ///< those of the first and the last pipeline stage
    mirrors,  ///< a rank and its counterpart in pipeline stage `stages - 1 - its own`
};

/// A collective over the group of `axes`.
struct Collective {
    CollectiveKind kind{CollectiveKind::all_reduce};
    AxisSet axes;
    /// Size of the full buffer, S in docs/theory/communication.md. All-reduce: each rank's vector;
    /// all-gather: the gathered result; reduce-scatter: the vector before scattering; all-to-all: each rank's
    /// send buffer; ring shift: what each rank sends.
    Bytes size;
    /// Share of its time that no computation hides, in [0, 1].
    double exposed{1.0};
    Members members{Members::all};
    Dispatch dispatch{};
    /// Whether kernels that run beside it lose time that its exposed share does not account for. False if
    /// some of it is hidden and some is not: such a share was measured, with what the kernels lost in it.
    bool slows_kernels{true};
};

enum class CopyDirection : std::uint8_t { to_host, to_device };
std::string_view name(CopyDirection direction);

/// The ranks that take part in a rank's collective, in ascending order.
std::vector<std::int64_t> members_of(AxisSet axes, Members members, const Mesh& mesh, std::int64_t rank);

/// Device ↔ host or second memory tier.
struct Copy {
    Bytes size;
    CopyDirection direction{CopyDirection::to_host};
};

/// An optimizer step on the host's processors, over states that were offloaded to its memory.
struct HostUpdate {
    Bytes read;     ///< from the host's memory
    Bytes written;  ///< to the host's memory
};

/// A message to the next (or previous) pipeline stage.
struct Transfer {
    Bytes size;
    /// Share of its time for which the sender's compute stream waits, in [0, 1].
    double exposed{0.0};
};

/// The host issues kernels. It may run ahead of the device; a kernel cannot start before it is issued.
struct Launch {
    double kernels{0};
};

using Work = std::variant<Compute, Collective, Copy, Transfer, Launch, HostUpdate>;

}  // namespace dse::graph
