#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/location.hpp"
#include "dse/frontend/template/dimensions.hpp"
#include "dse/graph/mesh.hpp"

namespace dse::frontend {

using TensorId = Id<struct TensorTag>;

/// How an element is stored; the bytes follow from the precision of the run.
enum class Storage : std::uint8_t {
    activation,  ///< in the precision of activations
    parameter,   ///< in the precision of parameters
    weight,      ///< of a parameter that matrix products read, in the form in which it is gathered
    gradient,    ///< of a parameter, in the precision of accumulation
    full,        ///< fp32 always: statistics, losses
    mask,        ///< one byte
    index,       ///< eight bytes: token ids
    cache,       ///< in the precision of cached keys and values
    cast,        ///< an operand of an eight- or four-bit product, with its scales
    // What a device keeps of a parameter from step to step.
    kept_parameter,
    kept_weight,   ///< of a parameter that matrix products read
    weight_casts,  ///< the casts of such a one that stay
    master,        ///< the optimizer's own copy; 0 bytes where the parameter itself is one
    moment,        ///< one of Adam's two
};
inline constexpr std::size_t storage_count = 14;

/// In what form a parameter of storage `of` is stored where parameters are stored as `form`.
constexpr Storage form_of(Storage of, Storage form) {
    if (of != Storage::weight) return form;
    if (form == Storage::parameter) return Storage::weight;
    return form == Storage::kept_parameter ? Storage::kept_weight : form;
}

enum class TensorRole : std::uint8_t {
    boundary,   ///< what enters and leaves blocks
    input,      ///< comes with the batch; no gradient
    parameter,  ///< has a gradient that is accumulated
    computed,   ///< result of an operator
    saved,      ///< extra result that only the backward pass reads (masks, softmax statistics)
    cache,      ///< part of the cache of a sequence being served: there before and after a pass
};

/// How one tensor lies on the mesh: by dimension the axes that split it, and the axes over which its elements
/// are only partial sums. Over all other axes it is replicated.
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

/// A tensor of a block, with its global shape.
struct Tensor {
    std::string name;
    TensorRole role{TensorRole::computed};
    Storage storage{Storage::activation};
    std::vector<DimId> shape;
    /// As declared (boundary, inputs, parameters), before axes of size 1 are dropped; computed ones follow.
    Layout layout;
    /// A parameter that another block owns and this one shares (tied embeddings).
    bool tied{false};
    config::Location where;
    /// A parameter whose rows are read and updated one by one, in the backward pass itself: a table that is
    /// far larger than what a microbatch reads of it. Its gradient is never stored, reduced or normed; the
    /// optimizer keeps one fp32 number a row (row-wise Adagrad).
    bool sparse{false};
};

}  // namespace dse::frontend
