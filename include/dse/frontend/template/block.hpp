#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/frontend/template/operation.hpp"
#include "dse/frontend/template/template_source.hpp"
#include "dse/graph/adapter.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::frontend {

/// Options that the conditions of a template can test.
struct TemplateOptions {
    bool sequence_parallel{true};
    graph::SoftwareStack stack;
    graph::Mode mode{graph::Mode::training};
    std::string recompute_tensors{};  ///< as in graph::WorkloadSpec
    graph::Adapter adapter{};         ///< ignored in inference, where adapters are part of the weights
};

/// A block of a template for one choice of options: its tensors, and its operations in forward order.
struct Block {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Operation> operations;
    std::optional<TensorId> input;   ///< the boundary tensor that enters; none for the first block
    std::optional<TensorId> output;  ///< the boundary tensor that leaves; none for the last block
    Layout entry;                    ///< layout of the input
    Layout exit;                     ///< layout of the output, as the next block expects it
    std::vector<TensorId> selective;
    bool recomputable{false};
    bool offloaded{false};  ///< whether activations for the backward pass are offloaded to the host
    bool wide{false};       ///< whether products run in 16 bits, whatever the stack's precision

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.index()]; }
    [[nodiscard]] std::vector<TensorId> parameters() const;
    /// How often operations of the block, or the next block, read a tensor.
    [[nodiscard]] std::size_t readers(TensorId id) const;
};

/// The tensor that enters a block, with the block's sizes.
Tensor make_boundary(const TemplateSource& source, const TemplateSource::Block& block,
                     const TemplateOptions& options, Dimensions& dimensions,
                     config::Diagnostics& diagnostics);

/// The boundary tensors between a block and its neighbours.
struct Boundaries {
    std::optional<Tensor> entry;  ///< none for the first block
    Tensor exit;                  ///< tensor that enters the next block; unused for the last block
};

/// Interns the block's dimensions, infers the shapes of its results and checks that they are consistent.
/// \param sample  values of the symbols at which shapes are compared, shape (slots,)
Block make_block(const TemplateSource::Block& block, const TemplateOptions& options, Boundaries boundaries,
                 Dimensions& dimensions, std::span<const double> sample, config::Diagnostics& diagnostics);

}  // namespace dse::frontend
