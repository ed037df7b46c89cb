// Kernels: their work, rate and launches, and those that run expert by expert.
#include <algorithm>
#include <utility>

#include "narrow_products.hpp"
#include "pass_builder.hpp"
#include "shared_expert.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;

/// The axes of an operation's folding that do not divide it.
AxisSet repeated_over(const LetterAxes& letters, AxisSet active) {
    const bool of_experts = !(letters.used() & graph::expert_axes).empty();
    return (active & (of_experts ? graph::expert_axes : graph::attention_axes)) - letters.used();
}

/// Rate of products with one scale per row, which run on early, slower kernels (docs/theory/effects.md:
/// GEMM x 0.62).
constexpr double row_scaled_rate = 0.62;

/// Rate of eight-bit products with scales per block, relative to one scale per tensor: 3,231 to 3,417
/// TFLOP/s, the largest of 169 and 203 products on GB200 (AIConfigurator 095f58a, systems/data, TensorRT-LLM
/// 1.3.0rc20). Rates of four-bit products are those with scales per block.
constexpr double block_scaled_rate = 0.945;

/// Reads of a product's weights count their elements alone: the rates of four-bit products were fitted to
/// such reads, and so contain those of the scales that are stored with them.
double share_without_scales(const graph::SoftwareStack& stack) {
    if (stack.weight_bits > 0.0) return 1.0;
    return bytes_of(stack.precision).value() / stored_bytes_of(stack.precision).value();
}

/// Rate of a pass of fused attention relative to the device's. The backward pass has five products, the
/// forward pass two, so that both together have attention_rate.
double attention_rate(const Piece& piece, const graph::SoftwareStack& stack) {
    const bool is_backward = !piece.writes.empty() && piece.writes.front().gradient;
    const double forward = stack.attention_forward;
    return stack.attention_rate * (is_backward ? 2.5 / (3.5 - 1.0 / forward) : forward);
}

/// The layout of what all devices that hold parts of the same experts have together.
Layout whole_over_parts(Layout layout) {
    for (AxisSet& axes : layout.split) axes = axes - graph::MeshAxis::expert_tensor;
    return layout;
}

}  // namespace

/// Whether an operation comes after the experts of its block, whose results have been folded back.
bool PassBuilder::is_behind_experts(const Operation& operation) const {
    bool folded = false;
    for (const Operation& each : block_.operations) {
        if (&each == &operation) return folded;
        if (each.refolding && !each.results.empty()) folded = !is_of_rows(each.results.front().tensor);
    }
    return false;
}

/// Whether an operation belongs to a CUDA graph of the router alone: the product with its weights, the choice
/// of experts, and, if the dispatcher does not permute tokens itself, their permutation. Or to one of all
/// that comes before a layer's experts.
bool PassBuilder::is_graphed(const Operation& operation) const {
    if (alone_) return false;
    if (stack_.attention_graphs) {
        return !operation.refolding && !operation.results.empty() && !of_experts(operation) &&
               !is_of_rows(operation.results.front().tensor) && !is_in_shared_expert(operation, block_) &&
               !is_behind_experts(operation);
    }
    if (!stack_.router_graphs) return false;
    if (operation.refolding) {
        return stack_.dispatcher == graph::Dispatcher::all_to_all &&
               is_of_rows(operation.results.front().tensor);
    }
    const auto feeds = [](const Operation& first, const Operation& next) {
        return !first.results.empty() && next.reads(first.results.front().tensor);
    };
    const auto chooses = [&](const Operation& first) {
        return first.forward.op_class == graph::OpClass::softmax &&
               std::any_of(block_.operations.begin(), block_.operations.end(),
                           [&](const Operation& next) { return next.refolding && feeds(first, next); });
    };
    return chooses(operation) ||
           std::any_of(block_.operations.begin(), block_.operations.end(),
                       [&](const Operation& next) { return chooses(next) && feeds(operation, next); });
}

/// Rate of a kernel relative to the device's for this class of operators.
double PassBuilder::rate_of(const Operation& operation, const Piece& piece) const {
    const bool narrow = is_narrow(operation, block_, stack_);
    double rate = 1.0;
    if (narrow && stack_.cast_recipe == graph::CastRecipe::row) rate = row_scaled_rate;
    if (narrow && !alone_ && casts_blocks_to_fp8(stack_)) rate = block_scaled_rate;
    if (piece.op_class == graph::OpClass::attention) rate = attention_rate(piece, stack_);
    if (of_experts(operation)) return rate * (alone_ ? stack_.expert_rate : stack_.expert_training_rate);
    return alone_ && narrow ? rate * stack_.prompt_dense_rate : rate;
}

/// So many bytes for each element of the first tensor that a kernel reads.
Amount PassBuilder::per_element(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                                double bytes) {
    const TensorId first = piece.reads.front().tensor;
    Amount elements = amount_of(block_.tensor(first), letters.layout(operation.letters_of(first)), extents_);
    elements.terms.front().storage = Storage::mask;
    elements.terms.front().factor = bytes;
    return elements;
}

/// Whether instructions limit how fast products read a weight that is stored in fewer bits than they
/// multiply.
bool PassBuilder::widens(TensorId tensor) const {
    const bool is_narrower = stack_.weight_bits < 8.0 * bytes_of(stack_.precision).value();
    return alone_ && stack_.weight_bits > 0.0 && is_narrower && stack_.widening_rate > 0.0 &&
           is_parameter(tensor) && block_.tensor(tensor).storage == Storage::weight;
}

Amount PassBuilder::amount(const Use& use, const Layout& layout) {
    const Tensor& tensor = block_.tensor(use.tensor);
    return use.gradient ? amount_of_gradient(tensor, layout, extents_) : amount_of(tensor, layout, extents_);
}

/// Adds what a kernel reads and writes, and the cycles that it spends on it.
void PassBuilder::add_traffic(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                              ComputeFormula& work) {
    if (piece.bytes_per_element > 0.0) {
        work.read = per_element(operation, letters, piece, piece.bytes_per_element);
        return;
    }
    if (piece.op_class == graph::OpClass::loss) return;
    const auto add = [&](const std::vector<Use>& uses, Amount& total) {
        for (const Use& use : uses) {
            if (use.passes == 0.0) continue;
            const Layout layout = letters.layout(operation.letters_of(use.tensor));
            Amount bytes = amount(use, layout);
            // A product leaves what another kernel adds in its own precision, and reads no sum.
            const bool is_apart = use.gradient && is_parameter(use.tensor) && adds_apart(use.tensor);
            if (is_apart) bytes.terms.front().storage = Storage::activation;
            if (use.lane_cycles > 0.0) {
                Amount cycles = bytes;
                if (use.of_group) cycles = amount(use, whole_over_parts(layout));
                cycles.scale(use.lane_cycles);
                work.lane_cycles.append(cycles);
            }
            for (Amount::Term term : bytes.terms) {
                term.factor *= is_apart ? std::min(1.0, use.passes) : use.passes;
                if (is_parameter(use.tensor)) term.factor *= operation.tiles;
                if (alone_ && is_parameter(use.tensor) &&
                    block_.tensor(use.tensor).storage == Storage::weight)
                    term.factor *= share_without_scales(stack_);
                if (alone_) term.touched = experts_of(use.tensor);
                total.terms.push_back(term);
                if (!widens(use.tensor)) continue;
                term.storage = Storage::mask;  // a byte, so that bytes count weights
                term.factor /= stack_.widening_rate;
                work.lane_cycles.terms.push_back(term);
            }
        }
    };
    add(piece.reads, work.read);
    add(piece.writes, work.written);
    for (const Traffic& more : piece.traffic)
        work.read.terms.push_back({product(more.extents, letters), more.storage, more.passes, {}});
}

/// Launches of the host for a kernel of an operation.
double PassBuilder::launches_of(const Operation& operation) const {
    // Plain operators of PyTorch launch one kernel each, without the modules around products.
    const bool plain = operation.kind == "scaled_add" || operation.kind == "adapter_dropout";
    if (plain && stack_.eager_adapters) return 1.0;
    if (stack_.adapter_launch_factor == 0.0 || stack_.launch_factor == 0.0) return launches_;
    const auto is_weight = [this](const Operation::Operand& operand, bool frozen) {
        return is_parameter(operand.tensor) && block_.tensor(operand.tensor).frozen == frozen;
    };
    const auto is_trained = [&](const auto& operand) { return is_weight(operand, false); };
    const bool is_adapter =
        operation.forward.op_class == graph::OpClass::gemm &&
        std::any_of(operation.operands.begin(), operation.operands.end(), is_trained) &&
        std::any_of(block_.tensors.begin(), block_.tensors.end(), [](const Tensor& t) { return t.frozen; });
    return is_adapter ? launches_ * stack_.adapter_launch_factor / stack_.launch_factor : launches_;
}

/// The work of a kernel; its launches are added to the pass.
ComputeFormula PassBuilder::kernel_of(const Operation& operation, const LetterAxes& letters,
                                      const Piece& piece, Run run) {
    ComputeFormula work;
    work.op_class = piece.op_class;
    work.is_gemm = !piece.gemm.empty();
    work.batch = product(piece.gemm.batch, letters);
    work.m = product(piece.gemm.m, letters);
    work.n = product(piece.gemm.n, letters);
    work.k = product(piece.gemm.k, letters);
    product(operation.indivisible, letters);  // evaluating its extents checks that they divide
    work.model_factor = run == Run::again ? 0.0 : piece.model_factor;
    work.executed_factor = piece.executed_factor;
    work.wide = block_.wide || multiplies(operation, block_, Storage::parameter);
    if (work.is_gemm) work.repeated = repeated_over(letters, sharding_.active);
    work.efficiency = rate_of(operation, piece);
    work.of_experts = of_experts(operation);
    if (alone_ && of_experts(operation)) {
        work.more_rows = static_cast<double>(stack_.expert_tile - 1);
        work.few_rows = static_cast<double>(stack_.few_expert_rows);
    }
    if (piece.op_class == graph::OpClass::attention) {
        if (operation.causal) work.ramp = stack_.attention_ramp;
        work.narrow = stack_.attention_narrow;
    }
    work.kernels = (stack_.compiled ? piece.kernels : piece.eager_kernels) * operation.tiles;
    // launch_factor is known from experts in kernels of their own.
    if (!is_graphed(operation)) plan_.launches.kernels += work.kernels * launches_of(operation);
    if (work.is_gemm) run_by_expert(experts_apart(operation, letters), work);
    if (alone_ && ((stack_.fused_experts && is_between_experts(operation)) ||
                   (stack_.fused_shared_expert && is_in_shared_expert(operation, block_))))
        work.kernels = 0.0;
    add_traffic(operation, letters, piece, work);
    const bool is_chain = !work.is_gemm || piece.op_class == graph::OpClass::elementwise;
    if (!stack_.compiled && is_chain && piece.bytes_per_element == 0.0) {
        // Run operator by operator, each kernel of a chain reads and writes the tensor again.
        const double passes = piece.eager_passes > 0.0 ? piece.eager_passes : piece.eager_kernels;
        for (Amount* bytes : {&work.read, &work.written}) bytes->scale(std::max(1.0, passes));
    }
    return work;
}

void PassBuilder::emit(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                       const std::string& name, const std::vector<VersionId>& inputs,
                       const std::vector<VersionId>& outputs, Run run) {
    Step step;
    step.name = name;
    step.work = kernel_of(operation, letters, piece, run);
    step.inputs = inputs;
    step.outputs = outputs;
    if (piece.workspace_per_element > 0.0) {
        const double in_memory = block_.tensor(piece.reads.front().tensor).in_memory;
        step.workspace = per_element(operation, letters, piece, piece.workspace_per_element * in_memory);
    }
    for (const Use& use : piece.reads)
        step.reads_parameters = step.reads_parameters || (!use.gradient && is_gathered(use.tensor));
    dequantize(letters, operation, piece, step);
    plan_.steps.push_back(std::move(step));
}

/// The experts of a device if products with their parameters run one expert at a time, because the stack has
/// no grouped kernel.
std::optional<ExtentId> PassBuilder::experts_apart(const Operation& operation, const LetterAxes& letters) {
    if (stack_.expert_kernels == 0.0) return std::nullopt;
    for (const Operation::Operand& operand : operation.operands) {
        const Tensor& parameter = block_.tensor(operand.tensor);
        if (parameter.role != TensorRole::parameter) continue;
        for (std::size_t i = 0; i < parameter.shape.size(); ++i) {
            if (parameter.layout.split[i].contains(graph::MeshAxis::expert))
                return extents_.intern({parameter.shape[i], letters.of(operand.letters[i])});
        }
    }
    return std::nullopt;
}

void PassBuilder::run_by_expert(std::optional<ExtentId> experts, ComputeFormula& work) {
    if (!experts) return;
    work.times = experts;
    work.kernels = stack_.expert_kernels;
    launch_by_expert(*experts, 1.0);
}

/// Adds launches for each expert of a device. They follow one another in compiled code, without the
/// framework's own part.
void PassBuilder::launch_by_expert(ExtentId experts, double kernels) {
    plan_.launches.experts = experts;
    plan_.launches.of_expert += kernels;
}

/// Number of experts that a token chooses, if copies to the same node are deduplicated.
std::optional<ExtentId> PassBuilder::find_choices() {
    if (stack_.dispatcher != graph::Dispatcher::deduplicated) return std::nullopt;
    for (const Operation& operation : block_.operations) {
        if (!operation.refolding || operation.operands.size() != 2) continue;
        return extents_.intern({block_.tensor(operation.operands.back().tensor).shape.back(), {}});
    }
    return std::nullopt;
}

bool PassBuilder::of_experts(const Operation& operation) const {
    return std::any_of(
        operation.operands.begin(), operation.operands.end(),
        [&](const Operation::Operand& operand) { return experts_of(operand.tensor).has_value(); });
}

/// Whether an operation on rows of experts is none of their products.
bool PassBuilder::is_between_experts(const Operation& operation) const {
    return !of_experts(operation) && is_of_rows(operation.results.front().tensor);
}

/// The dimension of experts of a parameter. A kernel only reads experts that some token has chosen.
std::optional<DimId> PassBuilder::experts_of(TensorId tensor) const {
    const Tensor& parameter = block_.tensor(tensor);
    if (parameter.role != TensorRole::parameter) return std::nullopt;
    for (std::size_t i = 0; i < parameter.shape.size(); ++i) {
        if (parameter.layout.split[i].contains(graph::MeshAxis::expert)) return parameter.shape[i];
    }
    return std::nullopt;
}

}  // namespace dse::frontend
