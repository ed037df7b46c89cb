#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/operation.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "dse/workload/training_stack.hpp"

namespace dse::frontend {

/// What conditions of a template may ask.
struct TemplateOptions {
    bool sequence_parallel{true};
    workload::TrainingStack stack;
};

/// A block of a template for one choice of options: its tensors and operations in order of the forward pass.
struct Block {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Operation> operations;
    std::optional<TensorId> input;   ///< the boundary tensor that enters; none for the first block
    std::optional<TensorId> output;  ///< the one that leaves; none for the last
    Layout boundary;                 ///< layout of both
    std::vector<TensorId> selective;
    bool recomputable{false};

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.index()]; }
    [[nodiscard]] std::vector<TensorId> parameters() const;
};

/// Interns the block's dimensions, infers the shapes of its results and checks that they fit.
/// \param sample  values of the symbols at which shapes are compared, shape (slots,)
/// \param has_input  whether a block stands before it
Block make_block(const TemplateSource& source, const TemplateSource::Block& block,
                 const TemplateOptions& options, bool has_input, Dimensions& dimensions,
                 std::span<const double> sample, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
