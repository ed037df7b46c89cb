// Casts of operands to eight or four bits: which products read them, what they cost, and which are kept.
#include <algorithm>
#include <utility>

#include "narrow_products.hpp"
#include "pass_builder.hpp"
#include "shared_expert.hpp"

namespace dse::frontend {
namespace {

/// Kernels with which Transformer Engine casts the rows of one expert (2.9, csrc/extensions/cast.cpp and
/// quantizer.cpp): one, or, if the tensor has a scale of its own, four, which zero and find its maximum, make
/// the scale, and cast.
double casts_of_expert(graph::CastRecipe recipe) {
    return recipe == graph::CastRecipe::tensor ? 4.0 : 1.0;
}

/// Time of a cast relative to the bytes that it moves. Transformer Engine's kernel for MXFP8 takes 52.3 us
/// for both copies of 8192 x 8192 numbers on B200 (ROCm/TransformerEngine pull request 598, May 2026), where
/// their bytes take 38.3. Other scales per block: docs/theory/effects.md, casts x 1.66.
double passes_of_cast(const graph::SoftwareStack& stack, bool inference) {
    if (stack.cast_recipe != graph::CastRecipe::block) return 1.0;
    return casts_blocks_to_fp8(stack) && !inference ? 1.37 : 1.66;
}

}  // namespace

bool multiplies(const Operation& operation, const Block& block, Storage storage) {
    return operation.forward.op_class == graph::OpClass::gemm &&
           std::any_of(operation.operands.begin(), operation.operands.end(),
                       [&](const Operation::Operand& operand) {
                           const Tensor& tensor = block.tensor(operand.tensor);
                           return tensor.role == TensorRole::parameter && tensor.storage == storage;
                       });
}

bool is_narrow(const Operation& operation, const Block& block, const graph::SoftwareStack& stack) {
    return bytes_of(stack.precision) < Bytes{2} && multiplies(operation, block, Storage::weight);
}

bool casts_blocks_to_fp8(const graph::SoftwareStack& stack) {
    return stack.precision == graph::Precision::fp8 && stack.cast_recipe == graph::CastRecipe::block;
}

bool is_refolded(const Block& block, TensorId tensor) {
    return std::any_of(block.operations.begin(), block.operations.end(), [&](const Operation& operation) {
        return operation.refolding && operation.results.front().tensor == tensor;
    });
}

std::vector<bool> rows_of_experts(const Block& block) {
    std::vector<bool> of_rows(block.tensors.size());
    // Operations stand in the order in which they run.
    for (const Operation& operation : block.operations) {
        const bool from_rows = std::ranges::any_of(
            operation.operands,
            [&](const Operation::Operand& operand) { return of_rows[operand.tensor.index()]; });
        for (const Operation::Operand& result : operation.results)
            of_rows[result.tensor.index()] = operation.refolding ? !from_rows : from_rows;
    }
    return of_rows;
}

/// Whether a serving engine casts tokens before it sends them to their experts (DeepEP, TensorRT-LLM).
bool PassBuilder::sends_cast(TensorId tensor) const {
    return alone_ && is_refolded(block_, tensor) &&
           std::any_of(block_.operations.begin(), block_.operations.end(), [&](const Operation& operation) {
               return is_narrow(operation, block_, stack_) && operation.reads(tensor);
           });
}

/// Whether tensor parallelism gathers casts of what an operation reads.
bool PassBuilder::gathers_casts(const Operation& operation) const {
    return stack_.gather_activation_casts && is_narrow(operation, block_, stack_);
}

/// Casts an operand to eight or four bits: it is read once and written in both orders of its dimensions, for
/// the forward and the backward product; in one if the weight is frozen, whose gradient alone needs the
/// other.
void PassBuilder::cast(const Operation& operation, const LetterAxes& letters, VersionId operand) {
    const bool attends = operation.forward.op_class == graph::OpClass::attention && attends_in_fp8(stack_);
    const bool stores = stores_narrow(operation);
    if (!is_narrow(operation, block_, stack_) && !attends && !stores) return;
    const Version& version = plan_.versions[operand.index()];
    if (stores && version.gradient) return;
    if (is_parameter(version.tensor) && !version.gradient) return;
    if (alone_ && stack_.fused_casts) return;
    // A serving engine casts an operand once for all products.
    if (alone_ && !cast_.insert(operand.index()).second) return;
    const double recipe = passes_of_cast(stack_, alone_);
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    work.read = amount(version);
    work.read.terms.front().factor *= recipe;
    work.written = amount(version);
    work.written.terms.front().storage = Storage::mask;
    const bool in_one_order = alone_ || stores || (!attends && !has_weight_gradient(operation));
    work.written.terms.front().factor *= (in_one_order ? 1.0 : 2.0) * recipe;
    plan_.launches.kernels += work.kernels * launches_;
    if (const auto experts = experts_apart(operation, letters))
        launch_by_expert(*experts, casts_of_expert(stack_.cast_recipe));
    const TensorId tensor = version.tensor;
    // Only the tokens that are sent need a kernel of their own.
    if (alone_ && stack_.fused_experts && !is_refolded(block_, tensor) && is_of_rows(tensor))
        work.kernels = 0.0;
    if (alone_ && stack_.fused_shared_expert && is_in_shared_expert(operation, block_)) work.kernels = 0.0;
    std::vector<VersionId> outputs;
    // Activations gathered by tensor parallelism are kept as before the gather, and gathered again.
    const bool kept = !version.gradient && keeps_cast(operation, tensor);
    if (kept && !find({.tensor = tensor, .layout = stored(tensor), .cast = true}))
        outputs.push_back(define({.tensor = tensor, .layout = stored(tensor), .cast = true}));
    plan_.steps.push_back(
        {"cast " + block_.tensor(tensor).name, std::move(work), {operand}, std::move(outputs), {}, false});
}

bool PassBuilder::keeps_cast(const Operation& operation, TensorId operand) const {
    if (stores_narrow(operation)) return true;
    if (!stack_.keep_activation_casts || is_parameter(operand) || !is_narrow(operation, block_, stack_))
        return false;
    return std::any_of(operation.backward.begin(), operation.backward.end(), [&](const Piece& piece) {
        return piece.weight_gradient && runs(operation, piece) &&
               std::any_of(piece.reads.begin(), piece.reads.end(),
                           [&](const Use& use) { return !use.gradient && use.tensor == operand; });
    });
}

/// Whether the operand of an activation is kept as a cast. Selective recomputation needs the operand itself.
bool PassBuilder::stores_narrow(const Operation& operation) const {
    return stack_.narrow_gate_inputs && !alone_ && operation.kind == "swiglu" &&
           operation.operands.size() == 1 && bytes_of(stack_.precision) < Bytes{2} &&
           stack_.recompute != graph::Recompute::selective;
}

/// Whether the backward pass computes the gradient of an operation's parameter.
bool PassBuilder::has_weight_gradient(const Operation& operation) const {
    return std::any_of(operation.backward.begin(), operation.backward.end(),
                       [&](const Piece& piece) { return piece.weight_gradient && runs(operation, piece); });
}

/// Whether a kernel of the backward pass, or one that full recomputation repeats there, reads a tensor itself
/// rather than its cast: a block may begin with a product whose input goes around it, too (ResNet's).
bool PassBuilder::is_read_uncast(TensorId tensor) const {
    const bool repeats = block_.recomputable && stack_.recompute == graph::Recompute::full;
    return std::any_of(block_.operations.begin(), block_.operations.end(), [&](const Operation& operation) {
        const bool is_operand =
            std::any_of(operation.operands.begin(), operation.operands.end(),
                        [&](const Operation::Operand& operand) { return operand.tensor == tensor; });
        const bool reads =
            (repeats && is_operand) ||
            std::any_of(operation.backward.begin(), operation.backward.end(), [&](const Piece& piece) {
                return runs(operation, piece) &&
                       std::any_of(piece.reads.begin(), piece.reads.end(),
                                   [&](const Use& use) { return !use.gradient && use.tensor == tensor; });
            });
        return operation.view ? operation.operands.front().tensor == tensor
                              : reads && !keeps_cast(operation, tensor);
    });
}

/// The kept tensors whose cast is kept by some product.
std::set<TensorId> PassBuilder::kept_as_cast(const std::set<TensorId>& kept) const {
    std::set<TensorId> casts;
    for (const Operation& operation : block_.operations) {
        for (const Operation::Operand& operand : operation.operands) {
            if (kept.count(operand.tensor) > 0 && keeps_cast(operation, operand.tensor))
                casts.insert(operand.tensor);
        }
    }
    return casts;
}

/// Converts the weight of a product to the precision of activations first if it lies in memory in four bits;
/// it takes memory until the product has read it, further copies until the last one is made. torchtune and
/// PEFT keep none from the forward to the backward pass (bitsandbytes 0.43, autograd/_functions.py,
/// MatMul4Bit).
void PassBuilder::dequantize(const LetterAxes& letters, const Operation& operation, const Piece& piece,
                             Step& step) {
    for (const Use& use : piece.reads) {
        const Tensor& weight = block_.tensor(use.tensor);
        if (use.gradient || !weight.quantized) continue;
        ComputeFormula work;
        work.op_class = graph::OpClass::elementwise;
        work.read = amount_of(weight, letters.layout(operation.letters_of(use.tensor)), extents_);
        work.written = work.read;
        work.read.terms.front().storage = Storage::quantized;
        work.written.terms.front().storage = Storage::activation;
        step.workspace.append(work.written);
        work.kernels *= stack_.dequantized_copies;  // one makes each copy
        plan_.launches.kernels += work.kernels * launches_;
        Amount copies = work.written;
        copies.scale(stack_.dequantized_copies);
        Amount cast = work.written;
        cast.scale(stack_.dequantized_copies - 1.0);
        work.read.append(cast);
        work.written = copies;
        plan_.steps.push_back({"dequantize " + weight.name, std::move(work), {}, {}, {}, true});
        plan_.steps.back().workspace = std::move(copies);
    }
}

}  // namespace dse::frontend
