#include "pass_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "kept_tensors.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;

constexpr AxisSet tensor_axis{graph::MeshAxis::tensor};

CollectiveKind collective_of(Conversion::Kind kind) {
    switch (kind) {
        case Conversion::Kind::reduce_scatter:
            return CollectiveKind::reduce_scatter;
        case Conversion::Kind::all_reduce:
            return CollectiveKind::all_reduce;
        case Conversion::Kind::all_to_all:
            return CollectiveKind::all_to_all;
        case Conversion::Kind::all_gather:
            return CollectiveKind::all_gather;
        case Conversion::Kind::slice:
            break;
    }
    DSE_REQUIRE(false && "a slice is not a collective");
    return CollectiveKind::all_reduce;
}

/// Whether a tensor is the result of a change of the folding, from where tokens are sent to their experts.
bool is_refolded(const Block& block, TensorId tensor) {
    return std::any_of(block.operations.begin(), block.operations.end(), [&](const Operation& operation) {
        return operation.refolding && operation.results.front().tensor == tensor;
    });
}

bool is_gathered_over_tp(const Layout& have, const Layout& want) {
    const std::vector<Conversion> steps = conversions(have, want);
    return steps.size() == 1 && steps.front().kind == Conversion::Kind::all_gather &&
           steps.front().axes == tensor_axis;
}

/// The axes of an operation's folding that do not divide it.
AxisSet repeated_over(const LetterAxes& letters, AxisSet active) {
    const bool of_experts = !(letters.used() & graph::expert_axes).empty();
    return (active & (of_experts ? graph::expert_axes : graph::attention_axes)) - letters.used();
}

/// Whether an operation is a matrix product with a parameter of this storage.
bool multiplies(const Operation& operation, const Block& block, Storage storage) {
    return operation.forward.op_class == graph::OpClass::gemm &&
           std::any_of(operation.operands.begin(), operation.operands.end(),
                       [&](const Operation::Operand& operand) {
                           const Tensor& tensor = block.tensor(operand.tensor);
                           return tensor.role == TensorRole::parameter && tensor.storage == storage;
                       });
}

/// Whether a tensor holds rows of experts: it depends on tokens sent to them, which have not been sent back.
bool is_of_rows(const Block& block, TensorId tensor) {
    for (const Operation& operation : block.operations) {
        if (std::none_of(operation.results.begin(), operation.results.end(),
                         [&](const Operation::Operand& result) { return result.tensor == tensor; }))
            continue;
        const bool from_rows =
            std::any_of(operation.operands.begin(), operation.operands.end(),
                        [&](const Operation::Operand& operand) { return is_of_rows(block, operand.tensor); });
        return operation.refolding ? !from_rows : from_rows;
    }
    return false;
}

/// Kernels with which Transformer Engine casts the rows of one expert (2.9, csrc/extensions/cast.cpp and
/// quantizer.cpp): one, or, if the tensor has a scale of its own, four, which zero and find its maximum, make
/// the scale, and cast.
double casts_of_expert(graph::CastRecipe recipe) {
    return recipe == graph::CastRecipe::tensor ? 4.0 : 1.0;
}

bool casts_blocks_to_fp8(const graph::SoftwareStack& stack) {
    return stack.precision == graph::Precision::fp8 && stack.cast_recipe == graph::CastRecipe::block;
}

/// Rate of eight-bit products with scales per block, relative to one scale per tensor: 3,231 to 3,417
/// TFLOP/s, the largest of 169 and 203 products on GB200 (AIConfigurator 095f58a, systems/data, TensorRT-LLM
/// 1.3.0rc20). Rates of four-bit products are those with scales per block.
constexpr double block_scaled_rate = 0.945;

/// Time of a cast relative to the bytes that it moves. Transformer Engine's kernel for MXFP8 takes 52.3 us
/// for both copies of 8192 x 8192 numbers on B200 (ROCm/TransformerEngine pull request 598, May 2026), where
/// their bytes take 38.3. Other scales per block: docs/theory/effects.md, casts x 1.66.
double passes_of_cast(const graph::SoftwareStack& stack, bool inference) {
    if (stack.cast_recipe != graph::CastRecipe::block) return 1.0;
    return casts_blocks_to_fp8(stack) && !inference ? 1.37 : 1.66;
}

/// Whether an operation is a matrix product with a parameter that runs in eight or four bits.
bool is_narrow(const Operation& operation, const Block& block, const graph::SoftwareStack& stack) {
    return bytes_of(stack.precision) < Bytes{2} && multiplies(operation, block, Storage::weight);
}

}  // namespace

/// Copies a gathered tensor, or one that is about to be scattered, whose parts lie along another dimension
/// than the first: NCCL expects and delivers them one after the other.
/// \param apart  the layout in which the tensor is split
void PassBuilder::copy_for_collective(VersionId whole, const Layout& apart, const std::string& name) {
    if (!stack_.collective_copies || alone_) return;
    const Version& version = plan_.versions[whole.index()];
    if (version.layout.split.size() < 2 || apart.split.front() != version.layout.split.front()) return;
    ComputeFormula copy;
    copy.op_class = graph::OpClass::elementwise;
    copy.read = amount(version);
    copy.written = copy.read;
    plan_.launches.kernels += copy.kernels * launches_;
    plan_.steps.push_back({"copy " + name, std::move(copy), {whole}, {}, {whole}, false});
}

VersionId PassBuilder::convert(VersionId from, const Layout& wanted, bool casts) {
    const Version origin = plan_.versions[from.index()];
    VersionId current = from;
    for (const Conversion& conversion : conversions(origin.layout, wanted)) {
        const bool slice = conversion.kind == Conversion::Kind::slice;
        const VersionId next = define(origin.tensor, origin.gradient, conversion.after, !slice, origin.cast);
        Step step;
        step.inputs = {current};
        step.outputs = {next};
        const std::string what =
            fmt::format("{}{}", origin.gradient ? "d_" : "", block_.tensor(origin.tensor).name);
        if (slice) {
            // The slice is a copy, so that the whole tensor can be freed.
            ComputeFormula copy;
            copy.op_class = graph::OpClass::elementwise;
            copy.read = amount(plan_.versions[next.index()]);
            copy.written = copy.read;
            plan_.launches.kernels += copy.kernels;
            step.name = "slice " + what;
            step.work = std::move(copy);
        } else {
            const bool exchanges_rows = conversion.kind == Conversion::Kind::all_to_all &&
                                        sorts(origin.tensor) &&
                                        conversion.axes.contains(graph::MeshAxis::expert);
            const bool arrives = conversion.after.split.front().contains(graph::MeshAxis::expert);
            if (exchanges_rows && !arrives) sort(current, what);
            // The full buffer as defined in docs/theory/communication.md: the result of a gather, or the
            // input of a reduction or exchange.
            const bool grows = conversion.kind == Conversion::Kind::all_gather;
            const Version& full = plan_.versions[grows ? next.index() : current.index()];
            const CollectiveKind kind = collective_of(conversion.kind);
            step.name = fmt::format("{} {}", graph::name(kind), what);
            CollectiveFormula collective{kind, conversion.axes, amount(full)};
            if (kind == CollectiveKind::all_to_all && conversion.axes.contains(graph::MeshAxis::expert))
                collective.choices = choices_;
            if ((kind == CollectiveKind::all_to_all && sends_cast(origin.tensor)) ||
                (casts && grows && conversion.axes == tensor_axis)) {
                for (Amount::Term& term : collective.size.terms) term.storage = Storage::cast;
            }
            step.work = std::move(collective);
            plan_.launches.kernels += launches_;
            if (grows && !origin.gradient && conversion.after != stored(origin.tensor))
                copies_.push_back(next);
            if (exchanges_rows && arrives) {
                plan_.steps.push_back(std::move(step));
                sort(next, what);
                current = next;
                continue;
            }
        }
        const bool gathers = conversion.kind == Conversion::Kind::all_gather;
        const bool scatters = conversion.kind == Conversion::Kind::reduce_scatter;
        if (scatters) copy_for_collective(current, conversion.after, what);
        plan_.steps.push_back(std::move(step));
        if (gathers) copy_for_collective(next, plan_.versions[current.index()].layout, what);
        current = next;
    }
    return current;
}

/// Whether rows of experts are sorted where a plain all-to-all delivers them, by device of origin, and back
/// before they leave: products that run expert by expert need each expert's rows in one piece, in training.
/// The kernel that sorts rows also sorts their weights. Dispatchers that deduplicate sort as they receive.
bool PassBuilder::sorts(TensorId tensor) const {
    return !alone_ && stack_.expert_kernels > 0.0 && stack_.dispatcher == graph::Dispatcher::all_to_all &&
           block_.tensor(tensor).shape.size() > 2;
}

/// Sorts rows of experts, and, for products in eight or four bits, copies them once more, to pad each
/// expert's rows to a multiple of a block (Megatron-Core, core/transformer/moe/token_dispatcher.py,
/// sort_chunks_by_idxs, and experts.py, quantization_padding; November 2025 to April 2026).
void PassBuilder::sort(VersionId rows, const std::string& name) {
    const double copies = bytes_of(stack_.precision) < Bytes{2} ? 2.0 : 1.0;
    ComputeFormula work;
    work.op_class = graph::OpClass::embedding;
    work.read = amount(plan_.versions[rows.index()]);
    work.read.scale(copies);
    work.written = work.read;
    work.kernels = copies;
    plan_.launches.kernels += work.kernels * launches_;
    plan_.steps.push_back({"sort " + name, std::move(work), {rows}, {}, {rows}, false});
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

/// The layout in which a tensor is kept for the backward pass: as it was produced, or, if that is a partial
/// sum or tokens before they are sent to experts, as the first operation reads it (tokens are dispatched
/// once).
Layout PassBuilder::stored(TensorId tensor) const {
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        for (const Operation::Operand& operand : block_.operations[i].operands) {
            if (operand.tensor != tensor) continue;
            Layout read = sharding_.letters[i].layout(operand.letters);
            const bool made_new = !home(tensor).partial.empty() || is_refolded(block_, tensor);
            const bool kept_whole = !stack_.regather_inputs && is_gathered_over_tp(home(tensor), read);
            return made_new || kept_whole ? read : home(tensor);
        }
    }
    return home(tensor).partial.empty() ? home(tensor) : sharding_.exit;
}

/// The version of a forward tensor from which others are derived.
VersionId PassBuilder::source(TensorId tensor) {
    if (const auto there = find(tensor, false, home(tensor))) return *there;
    if (const auto there = find(tensor, false, stored(tensor))) return *there;
    if (is_given(tensor)) return define(tensor, false, home(tensor));
    // Dropped by the forward pass: recompute it.
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        for (const Operation::Operand& result : block_.operations[i].results) {
            if (result.tensor != tensor) continue;
            const double launches = std::exchange(launches_, stack_.launch_factor);
            run_forward(i, true);
            launches_ = launches;
            const auto made = find(tensor, false, home(tensor));
            DSE_REQUIRE(made.has_value());
            return *made;
        }
    }
    DSE_REQUIRE(false && "every computed tensor has an operation");
    return VersionId{};
}

VersionId PassBuilder::want(TensorId tensor, const Layout& wanted, bool casts) {
    if (const auto there = find(tensor, false, wanted)) return *there;
    return convert(source(tensor), wanted, casts);
}

/// Casts an operand to eight or four bits: it is read once and written in both orders of its dimensions, for
/// the forward and the backward product.
void PassBuilder::cast(const Operation& operation, const LetterAxes& letters, VersionId operand) {
    const bool attends = operation.forward.op_class == graph::OpClass::attention && attends_in_fp8(stack_);
    if (!is_narrow(operation, block_, stack_) && !attends) return;
    const Version& version = plan_.versions[operand.index()];
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
    work.written.terms.front().factor *= (alone_ ? 1.0 : 2.0) * recipe;
    plan_.launches.kernels += work.kernels * launches_;
    if (const auto experts = experts_apart(operation, letters))
        launch_by_expert(*experts, casts_of_expert(stack_.cast_recipe));
    const TensorId tensor = version.tensor;
    // Only the tokens that are sent need a kernel of their own.
    if (alone_ && stack_.fused_experts && !is_refolded(block_, tensor) && is_of_rows(block_, tensor))
        work.kernels = 0.0;
    std::vector<VersionId> outputs;
    // Activations gathered by tensor parallelism are kept as before the gather, and gathered again.
    const bool kept = !version.gradient && keeps_cast(operation, tensor);
    if (kept && !find(tensor, false, stored(tensor), true))
        outputs.push_back(define(tensor, false, stored(tensor), false, true));
    plan_.steps.push_back(
        {"cast " + block_.tensor(tensor).name, std::move(work), {operand}, std::move(outputs), {}, false});
}

bool PassBuilder::keeps_cast(const Operation& operation, TensorId operand) const {
    if (!stack_.keep_activation_casts || is_parameter(operand) || !is_narrow(operation, block_, stack_))
        return false;
    return std::any_of(operation.backward.begin(), operation.backward.end(), [&](const Piece& piece) {
        return piece.weight_gradient &&
               std::any_of(piece.reads.begin(), piece.reads.end(),
                           [&](const Use& use) { return !use.gradient && use.tensor == operand; });
    });
}

/// Whether a backward kernel reads a tensor itself rather than its cast.
bool PassBuilder::is_read_uncast(TensorId tensor) const {
    return std::any_of(block_.operations.begin(), block_.operations.end(), [&](const Operation& operation) {
        const bool reads =
            std::any_of(operation.backward.begin(), operation.backward.end(), [&](const Piece& piece) {
                return std::any_of(piece.reads.begin(), piece.reads.end(),
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

/// Whether an operation belongs to a CUDA graph of the router alone: the product with its weights, the choice
/// of experts, and, if the dispatcher does not permute tokens itself, their permutation.
bool PassBuilder::is_graphed(const Operation& operation) const {
    if (!stack_.router_graphs || alone_) return false;
    if (operation.refolding) {
        return stack_.dispatcher == graph::Dispatcher::all_to_all &&
               is_of_rows(block_, operation.results.front().tensor);
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

void PassBuilder::emit(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                       const std::string& name, const std::vector<VersionId>& inputs,
                       const std::vector<VersionId>& outputs, bool again) {
    ComputeFormula work;
    work.op_class = piece.op_class;
    work.is_gemm = !piece.gemm.empty();
    work.batch = product(piece.gemm.batch, letters);
    work.m = product(piece.gemm.m, letters);
    work.n = product(piece.gemm.n, letters);
    work.k = product(piece.gemm.k, letters);
    product(operation.indivisible, letters);  // evaluating its extents checks that they divide
    work.model_factor = again ? 0.0 : piece.model_factor;
    work.executed_factor = piece.executed_factor;
    work.wide = multiplies(operation, block_, Storage::parameter);
    if (work.is_gemm) work.repeated = repeated_over(letters, sharding_.active);
    // Products with one scale per row run on early, slower kernels (docs/theory/effects.md: GEMM x 0.62).
    const bool by_row = stack_.cast_recipe == graph::CastRecipe::row;
    if (by_row && is_narrow(operation, block_, stack_)) work.efficiency = 0.62;
    if (!alone_ && casts_blocks_to_fp8(stack_) && is_narrow(operation, block_, stack_))
        work.efficiency = block_scaled_rate;
    work.kernels = stack_.compiled ? piece.kernels : piece.eager_kernels;
    if (piece.op_class == graph::OpClass::attention) {
        work.efficiency = stack_.attention_rate;
        if (operation.causal) work.ramp = stack_.attention_ramp;
    }
    if (alone_ && of_experts(operation)) {
        work.efficiency *= stack_.expert_rate;
        work.more_rows = static_cast<double>(stack_.expert_tile - 1);
    } else if (alone_ && is_narrow(operation, block_, stack_)) {
        work.efficiency *= stack_.prompt_dense_rate;
    }
    // launch_factor is known from experts in kernels of their own.
    if (!is_graphed(operation)) plan_.launches.kernels += work.kernels * launches_;
    if (work.is_gemm) run_by_expert(experts_apart(operation, letters), work);
    if (alone_ && stack_.fused_experts && is_between_experts(operation)) work.kernels = 0.0;

    Step step;
    const auto traffic = [&](const std::vector<Use>& uses, Amount& total) {
        for (const Use& use : uses) {
            if (use.passes == 0.0) continue;
            const Layout layout = letters.layout(operation.letters_of(use.tensor));
            const Amount bytes = amount_of(block_.tensor(use.tensor), use.gradient, layout, extents_);
            if (use.lane_cycles > 0.0) {
                Amount cycles = bytes;
                cycles.scale(use.lane_cycles);
                work.lane_cycles.append(cycles);
            }
            for (Amount::Term term : bytes.terms) {
                term.factor *= use.passes;
                if (alone_) term.touched = experts_of(use.tensor);
                total.terms.push_back(term);
            }
        }
    };
    const auto per_element = [&](double bytes) {
        const TensorId first = piece.reads.front().tensor;
        Amount elements =
            amount_of(block_.tensor(first), false, letters.layout(operation.letters_of(first)), extents_);
        elements.terms.front().storage = Storage::mask;
        elements.terms.front().factor = bytes;
        return elements;
    };
    if (piece.workspace_per_element > 0.0) step.workspace = per_element(piece.workspace_per_element);
    if (piece.bytes_per_element > 0.0) {
        work.read = per_element(piece.bytes_per_element);
    } else if (piece.op_class != graph::OpClass::loss) {
        traffic(piece.reads, work.read);
        traffic(piece.writes, work.written);
        for (const Traffic& more : piece.traffic)
            work.read.terms.push_back({product(more.extents, letters), more.storage, more.passes, {}});
    }
    const bool is_chain = !work.is_gemm || piece.op_class == graph::OpClass::elementwise;
    if (!stack_.compiled && is_chain && piece.bytes_per_element == 0.0) {
        // Run operator by operator, each kernel of a chain reads and writes the tensor again.
        const double passes = piece.eager_passes > 0.0 ? piece.eager_passes : piece.eager_kernels;
        for (Amount* bytes : {&work.read, &work.written}) bytes->scale(std::max(1.0, passes));
    }
    for (const Use& use : piece.reads)
        step.reads_parameters = step.reads_parameters || (!use.gradient && is_gathered(use.tensor));
    step.name = name;
    step.work = std::move(work);
    step.inputs = inputs;
    step.outputs = outputs;
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

void PassBuilder::run_forward(std::size_t index, bool again) {
    const Operation& operation = block_.operations[index];
    const LetterAxes& letters = sharding_.letters[index];
    if (operation.view) return run_view(operation, letters);
    std::vector<VersionId> inputs;
    for (const Operation::Operand& operand : operation.operands) {
        Layout wanted = letters.layout(operand.letters);
        wanted.partial = sharding_.unreduced[index] & home(operand.tensor).partial;
        const bool casts_first = gathers_casts(operation) && !find(operand.tensor, false, wanted) &&
                                 is_gathered_over_tp(home(operand.tensor), wanted);
        if (casts_first) cast(operation, letters, source(operand.tensor));
        inputs.push_back(want(operand.tensor, wanted, casts_first));
        if (!casts_first) cast(operation, letters, inputs.back());
    }
    std::vector<VersionId> outputs;
    for (const Operation::Operand& result : operation.results) {
        if (is_given(result.tensor) || find(result.tensor, false, home(result.tensor))) continue;
        outputs.push_back(define(result.tensor, false, home(result.tensor)));
    }
    const std::string& result = block_.tensor(operation.results.front().tensor).name;
    const std::string name = again ? "again " + result : result;
    if (is_ring(operation, letters))
        return ring_forward(operation, letters, name, std::move(inputs), outputs, again);
    emit(operation, letters, as_the_last_rank(operation, letters, operation.forward), name, inputs, outputs,
         again);
}

/// Adds views of an operand's memory, after converting it to the layout that the operation requires.
void PassBuilder::run_view(const Operation& operation, const LetterAxes& letters) {
    const Operation::Operand& operand = operation.operands.front();
    const VersionId from = want(operand.tensor, letters.layout(operand.letters));
    for (const Operation::Operand& result : operation.results) {
        if (find(result.tensor, false, home(result.tensor))) continue;
        plan_.versions.push_back({result.tensor, false, home(result.tensor), false, {from}});
    }
}

PassPlan PassBuilder::forward(const std::set<TensorId>& kept) {
    if (block_.input) plan_.entry = define(*block_.input, false, sharding_.entry);
    for (std::size_t i = 0; i < block_.operations.size(); ++i) run_forward(i, false);
    if (block_.output) plan_.exit = want(*block_.output, sharding_.exit);
    collect_saved(kept);
    return std::move(plan_);
}

PassPlan PassBuilder::forward_alone() {
    alone_ = true;
    plan_.loops = true;
    return forward({});
}

bool PassBuilder::of_experts(const Operation& operation) const {
    return std::any_of(
        operation.operands.begin(), operation.operands.end(),
        [&](const Operation::Operand& operand) { return experts_of(operand.tensor).has_value(); });
}

/// Whether an operation on rows of experts is none of their products.
bool PassBuilder::is_between_experts(const Operation& operation) const {
    return !of_experts(operation) && is_of_rows(block_, operation.results.front().tensor);
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

void PassBuilder::collect_saved(const std::set<TensorId>& kept) {
    const std::set<TensorId> casts = kept_as_cast(kept);
    for (const TensorId tensor : kept) {
        const bool cast = casts.count(tensor) > 0;
        if (cast) plan_.saved.push_back(*find(tensor, false, stored(tensor), true));
        if (!cast || is_read_uncast(tensor)) plan_.saved.push_back(want(tensor, stored(tensor)));
    }
    copy_kept_rows("stash rows");
}

/// Copies the rows of experts that the backward pass reads into pages, or back, if experts run within a CUDA
/// graph. The graph's own buffers have room for the largest number of rows that any routing can send, and
/// serve all layers (Megatron-Core, core/transformer/moe/paged_stash.py, June 2026). Experts that run one by
/// one, or after a plain all-to-all, need numbers that the host has to know, and are not within a graph.
void PassBuilder::copy_kept_rows(const std::string& name) {
    const bool within_graph = stack_.cuda_graphs && stack_.expert_kernels == 0.0 &&
                              stack_.dispatcher == graph::Dispatcher::deduplicated;
    if (alone_ || !within_graph) return;
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    std::vector<VersionId> rows;
    for (const VersionId version : plan_.saved) {
        const TensorId tensor = plan_.versions[version.index()].tensor;
        if (!is_of_rows(block_, tensor) || block_.tensor(tensor).shape.size() < 3) continue;
        work.read.append(amount(plan_.versions[version.index()]));
        rows.push_back(version);
    }
    if (rows.empty()) return;
    work.written = work.read;
    plan_.steps.push_back({name, std::move(work), rows, {}, rows, false});
}

/// Repeats the forward pass, or the part of it that the backward pass depends on. Gathered copies are kept no
/// longer than in the original forward pass: the backward pass gathers again what it reads.
void PassBuilder::recompute_all() {
    const std::vector<bool> runs = recomputed_operations(block_, stack_);
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        if (runs[i]) run_forward(i, true);
    }
    retired_.insert(retired_.end(), copies_.begin(), copies_.end());
}

}  // namespace dse::frontend
