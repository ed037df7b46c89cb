#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/mesh.hpp"
#include "dse/graph/precision.hpp"

namespace dse::graph {

/// What a kernel is, as far as its efficiency goes. Device files give an efficiency for each.
enum class OpClass : std::uint8_t {
    gemm,         ///< dense matrix product on the matrix units
    attention,    ///< fused attention kernel
    elementwise,  ///< bound by memory bandwidth: activations, residuals, casts
    normalization,
    softmax,
    embedding,  ///< row gather or scatter
    loss,       ///< cross-entropy over the vocabulary
    optimizer,  ///< one pass over parameters, gradients and optimizer states
};
inline constexpr std::size_t op_class_count = 8;
std::string_view name(OpClass op_class);

/// A matrix product: `batch` times (m × k)(k × n). All 0 where the kernel is none.
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
    /// FLOPs that the model asks for, 2 a multiply-add (docs/theory/work.md 1.2): causal attention counts
    /// half, recomputation 0, of what several ranks compute each its part.
    Flop model_flop;
    /// FLOPs that run: flash attention's backward 2.5 × its forward, recomputed work in full.
    Flop executed_flop;
    /// Share of the device's rate that this implementation of the kernel reaches, in (0, 1].
    double efficiency{1.0};
    Bytes read;     ///< device memory read, each operand once
    Bytes written;  ///< device memory written
    double kernels{
        1};  ///< device kernels it runs as; what the host needs to issue them is a Launch of its own
};

enum class CollectiveKind : std::uint8_t {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    broadcast,
    ring_shift,  ///< every rank sends to the next of its group and receives from the one before
};
std::string_view name(CollectiveKind kind);

/// Which ranks of a group take part in a collective.
enum class Members : std::uint8_t {
    all,
    ends,     ///< those of the first and of the last pipeline stage
    mirrors,  ///< a rank and the one of pipeline stage `stages - 1 - its own`
};

/// A collective over the group of `axes`.
struct Collective {
    CollectiveKind kind{CollectiveKind::all_reduce};
    AxisSet axes;
    /// The full buffer S of docs/theory/communication.md: all-reduce: each rank's vector; all-gather: the
    /// gathered result; reduce-scatter: the vector before scattering; all-to-all: each rank's send buffer;
    /// ring shift: what each rank sends.
    Bytes size;
    /// Share of its time that nothing hides, in [0, 1].
    double exposed{1.0};
    Members members{Members::all};
    /// Of an all-to-all that sends a token once to each node and device that needs it: the experts that a
    /// token chose, hence the copies in `size`. 0: every copy travels by itself.
    double choices{0.0};
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

/// The host's processors working on what its memory holds: an optimizer's step over states that were moved
/// there.
struct HostUpdate {
    Bytes read;     ///< of the host's memory
    Bytes written;  ///< likewise
};

/// A message to the next (or previous) pipeline stage.
struct Transfer {
    Bytes size;
    /// Share of its time during which the sender's compute stream waits, in [0, 1].
    double exposed{0.0};
};

/// The host issuing kernels: it runs ahead of the device, and a kernel cannot start before it is issued.
struct Launch {
    double kernels{0};
};

using Work = std::variant<Compute, Collective, Copy, Transfer, Launch, HostUpdate>;

}  // namespace dse::graph
