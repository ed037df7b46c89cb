#include "weight_storage.hpp"

#include <algorithm>

#include "adapters.hpp"

namespace dse::frontend {
namespace {

/// Whether a product with a parameter gives the scores of which the best are chosen.
bool is_router(const Block& block, TensorId parameter) {
    return std::ranges::any_of(block.operations, [&](const Operation& product) {
        return product.reads(parameter) && !product.results.empty() &&
               std::ranges::any_of(block.operations, [&](const Operation& choice) {
                   return choice.kind == "top_k" && choice.reads(product.results.front().tensor);
               });
    });
}

/// Whether a layer sends tokens to experts.
bool routes(const Block& block) {
    return std::ranges::any_of(block.operations,
                               [](const Operation& operation) { return operation.refolding.has_value(); });
}

/// Whether a weight is stored in the precision of activations.
///
/// Adapters are products in this precision (Megatron Bridge, PEFT). Training keeps the head in it unless the
/// stack says otherwise. Checkpoints for inference keep the head and the routers in it (lm_head and mlp.gate
/// in the lists of exceptions of DeepSeek-R1, Qwen3 and GLM-5 in fp8, lm_head in NVIDIA's of Llama), and
/// those in four bits everything except the experts in layers that have some (NVIDIA's NVFP4 of DeepSeek-R1
/// and Kimi K2, OpenAI's MXFP4 of gpt-oss).
bool stays_wide(const Block& block, TensorId id, const TemplateOptions& options, bool is_layer) {
    const Tensor& weight = block.tensor(id);
    const bool apart = options.stack.weight_bits > 0.0;
    const bool narrow = apart || bytes_of(options.stack.precision) < Bytes{2};
    if (trains_adapters(options) && !weight.frozen) return true;
    if (!is_inference(options.mode)) {
        return bytes_of(options.stack.precision) < Bytes{2} && !is_layer && !options.stack.narrow_head;
    }
    if (!narrow) return false;
    if (!is_layer || is_router(block, id)) return true;
    const bool in_four_bits =
        apart ? options.stack.weight_bits < 8.0 : options.stack.precision == graph::Precision::fp4;
    if (!in_four_bits) return false;
    const bool of_experts = !(weight.layout.split_axes() & graph::expert_axes).empty();
    return routes(block) && !of_experts;
}

/// QLoRA's libraries quantize the weights of layers (PEFT, torchtune); Lightning's quantizes the head as well
/// (fabric/plugins/precision/bitsandbytes.py: every linear layer).
bool is_quantized(const Tensor& weight, const TemplateOptions& options, bool is_layer) {
    return weight.storage == Storage::weight && weight.frozen && (is_layer || options.stack.narrow_head) &&
           options.adapter.frozen_weights == graph::FrozenWeights::nf4;
}

/// The product of a quantized weight keeps its other operand, which its backward pass does not read.
void keep_inputs(Operation& operation, TensorId weight) {
    const auto is_weight = [&](const Use& use) { return use.tensor == weight && !use.gradient; };
    for (Piece& piece : operation.backward) {
        if (std::ranges::none_of(piece.reads, is_weight)) continue;
        for (const Operation::Operand& operand : operation.operands) {
            if (operand.tensor != weight) piece.reads.push_back({operand.tensor, false, 0.0});
        }
    }
}

}  // namespace

void mark_weights(Block& block, const TemplateOptions& options, bool is_layer) {
    for (Operation& operation : block.operations) {
        if (operation.forward.op_class != graph::OpClass::gemm) continue;
        for (const Operation::Operand& operand : operation.operands) {
            Tensor& tensor = block.tensors[operand.tensor.index()];
            if (tensor.role != TensorRole::parameter) continue;
            if (!stays_wide(block, operand.tensor, options, is_layer)) tensor.storage = Storage::weight;
            tensor.quantized = is_quantized(tensor, options, is_layer);
            if (tensor.quantized && options.stack.keeps_frozen_inputs) keep_inputs(operation, operand.tensor);
        }
    }
}

}  // namespace dse::frontend
