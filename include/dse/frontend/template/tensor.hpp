#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/location.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "dse/graph/mesh.hpp"

namespace dse::frontend {

using TensorId = Id<struct TensorTag>;

/// How an element is stored; its size in bytes follows from the precisions of the software stack.
enum class Storage : std::uint8_t {
    activation,  ///< in the precision of activations
    parameter,   ///< in the precision of parameters
    weight,      ///< parameter that matrix products read, in the form in which it is gathered
    gradient,    ///< gradient of a parameter, in the precision of accumulation
    reduced,     ///< the same, in the precision in which replicas reduce it
    full,        ///< always fp32: statistics, losses
    mask,        ///< one byte
    index,       ///< eight bytes: token ids
    cache,       ///< in the precision of cached keys and values
    state,       ///< in the precision of recurrent states
    cast,        ///< operand of an eight- or four-bit product, including its scales
    // What a device keeps of a parameter between steps.
    kept_parameter,
    kept_weight,   ///< parameter that matrix products read
    weight_casts,  ///< casts of such a parameter that are kept
    master,        ///< the optimizer's master copy; 0 bytes if the parameter itself is precise enough
    moment,        ///< one of Adam's two moments
    frozen,        ///< parameter that matrix products read and nothing trains
    quantized,     ///< the same in the form from which kernels convert it
};
inline constexpr std::size_t storage_count = 18;

/// The storage of a parameter of storage `of` if parameters are stored as `form`.
constexpr Storage form_of(Storage of, Storage form) {
    if (of != Storage::weight) return form;
    if (form == Storage::parameter) return Storage::weight;
    return form == Storage::kept_parameter ? Storage::kept_weight : form;
}

enum class TensorRole : std::uint8_t {
    boundary,   ///< passed between blocks
    input,      ///< part of the batch; no gradient
    parameter,  ///< has a gradient that is accumulated
    computed,   ///< result of an operator
    saved,      ///< additional result that only the backward pass reads (masks, softmax statistics)
    cache,      ///< part of the cache of a served sequence, which outlives the pass
};

/// Layout of a tensor on the mesh: the axes that split each dimension, and the axes over which its elements
/// are only partial sums. It is replicated over all other axes.
struct Layout {
    std::vector<graph::AxisSet> split;
    graph::AxisSet partial;

    [[nodiscard]] graph::AxisSet split_axes() const {
        graph::AxisSet all;
        for (const graph::AxisSet axes : split) all = all | axes;
        return all;
    }
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// A tensor of a block with its global shape.
struct Tensor {
    std::string name;
    TensorRole role{TensorRole::computed};
    Storage storage{Storage::activation};
    std::vector<DimId> shape;
    /// As declared (boundary, inputs, parameters), before axes of size 1 are dropped; for computed tensors it
    /// is derived.
    Layout layout;
    /// Whether it is a parameter that another block owns and this one shares (tied embeddings).
    bool tied{false};
    config::Location where;
    /// Whether it is a parameter whose rows are read individually and updated in the backward pass itself: a
    /// table that is much larger than the part that a microbatch reads. Its gradient is never stored, reduced
    /// or included in the gradient norm; the optimizer keeps one fp32 number per row (row-wise Adagrad).
    bool sparse{false};
    /// Whether it is a parameter that is not trained: it has no gradient and no optimizer states.
    bool frozen{false};
    /// Whether it is a copy that is trained in place of a parameter which stays in memory (PEFT 0.5,
    /// utils/other.py, ModulesToSaveWrapper).
    bool has_original{false};
    /// Whether it lies in memory in a form that each kernel which reads it converts first (NF4).
    bool quantized{false};
    /// Share of it that is in memory at a time, in (0, 1]: one tile of logits (SoftwareStack::loss_tiles).
    double in_memory{1.0};
};

}  // namespace dse::frontend
