#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/operation.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::frontend {

/// What conditions of a template may ask.
struct TemplateOptions {
    bool sequence_parallel{true};
    graph::SoftwareStack stack;
    graph::Mode mode{graph::Mode::training};
    std::string recompute_tensors{};  ///< as in graph::WorkloadSpec
};

/// A block of a template for one choice of options: its tensors and operations in order of the forward pass.
struct Block {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Operation> operations;
    std::optional<TensorId> input;   ///< the boundary tensor that enters; none for the first block
    std::optional<TensorId> output;  ///< the one that leaves; none for the last
    Layout entry;                    ///< layout of what enters
    Layout exit;                     ///< layout of what leaves, as the next block wants it
    std::vector<TensorId> selective;
    bool recomputable{false};
    bool offloaded{false};  ///< what it keeps for its backward pass waits in the host's memory

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.index()]; }
    [[nodiscard]] std::vector<TensorId> parameters() const;
};

/// The tensor that enters a block, in the block's sizes.
Tensor make_boundary(const TemplateSource& source, const TemplateSource::Block& block,
                     const TemplateOptions& options, Dimensions& dimensions,
                     config::Diagnostics& diagnostics);

/// What passes between a block and its neighbours.
struct Boundaries {
    std::optional<Tensor> entry;  ///< none: no block stands before it
    Tensor exit;                  ///< what enters the next one; of no meaning for the last
};

/// Interns the block's dimensions, infers the shapes of its results and checks that they fit.
/// \param sample  values of the symbols at which shapes are compared, shape (slots,)
Block make_block(const TemplateSource::Block& block, const TemplateOptions& options, Boundaries boundaries,
                 Dimensions& dimensions, std::span<const double> sample, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
