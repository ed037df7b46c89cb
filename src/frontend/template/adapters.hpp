#pragma once

#include <string>
#include <vector>

#include "dse/frontend/template/block.hpp"
#include "dse/frontend/template/operator_line.hpp"
#include "dse/graph/adapter.hpp"

namespace dse::frontend {

/// A product with a frozen weight and its adapter: the two factors of the adapter, and the lines that compute
/// the sum of both products.
struct AdaptedProduct {
    std::vector<Tensor> factors;
    std::vector<OperatorLine> lines;
};

/// Whether adapters are trained, and with them nothing but graph::Adapter::trained. Inference runs adapters
/// merged into the weights.
inline bool trains_adapters(const TemplateOptions& options) {
    return options.adapter.on() && !is_inference(options.mode);
}

struct AdapterOptions {
    const graph::Adapter& adapter;
    bool splits_sequence{false};  ///< whether layers pass on a sequence that is split over tp
    bool all_to_all{false};       ///< graph::SoftwareStack::adapter_all_to_all
};

/// Adds an adapter to `y = einsum("…", x, w)`. The factors are distributed as by Megatron Bridge
/// (peft/utils.py, ParallelLinearAdapter): the first is split like w along the dimensions that are summed, or
/// else along the rank like w along the dimensions of the result; the second is split along the dimensions of
/// the result in both cases.
/// \param weight  w, with its declared layout
AdaptedProduct with_adapter(const OperatorLine& product, const Tensor& weight, const AdapterOptions& options,
                            Dimensions& dimensions);

/// Names of the factors of the adapter beside a weight.
std::string first_factor(const std::string& weight);
std::string second_factor(const std::string& weight);

/// Whether a block has an adapter beside this weight.
bool has_adapter(const Block& block, const std::string& weight);

}  // namespace dse::frontend
