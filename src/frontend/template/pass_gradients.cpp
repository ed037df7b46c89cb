#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "pass_builder.hpp"
#include "state_places.hpp"

namespace dse::frontend {

using graph::AxisSet;

/// Determines which tensors have a gradient, and the number of contributions to each.
void PassBuilder::prepare_gradients() {
    pending_.assign(block_.tensors.size(), 0);
    contributions_.resize(block_.tensors.size());
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        if (!flow_.runs[i]) continue;
        const Operation& operation = block_.operations[i];
        for (const Piece& piece : operation.backward) {
            for (const Use& use : piece.writes) ++pending_[use.tensor.index()];
        }
        for (const std::size_t operand : operation.passes_gradient)
            ++pending_[operation.operands[operand].tensor.index()];
    }
    if (block_.output) ++pending_[block_.output->index()];
}

void PassBuilder::contribute(TensorId tensor, VersionId version) {
    // Reduces each contribution separately, as soon as it is ready.
    if (!stack_.merge_input_gradients) version = convert(version, reduced(tensor));
    contributions_[tensor.index()].push_back(version);
    --pending_[tensor.index()];
    if (pending_[tensor.index()] == 0) finish_gradient(tensor);
}

/// Layout of a finished gradient: that of its tensor, without partial sums.
Layout PassBuilder::reduced(TensorId tensor) const {
    Layout layout = home(tensor);
    layout.partial = AxisSet{};
    return layout;
}

/// Called when all contributions are ready. Contributions with equal layouts are added; the sums are then
/// converted to the layout of the tensor and added as well. Thus partial sums are reduced only once.
void PassBuilder::finish_gradient(TensorId tensor) {
    std::vector<VersionId>& parts = contributions_[tensor.index()];
    add_alike(tensor, parts);
    for (VersionId& part : parts) part = convert(part, reduced(tensor));
    add_alike(tensor, parts);
    DSE_ENSURE(parts.size() == 1);
}

/// Adds gradients of a tensor that have the same layout.
void PassBuilder::add_alike(TensorId tensor, std::vector<VersionId>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = parts.size() - 1; j > i; --j) {
            if (plan_.versions[parts[i].index()].layout != plan_.versions[parts[j].index()].layout) continue;
            parts[i] = add(tensor, parts[i], parts[j]);
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

VersionId PassBuilder::add(TensorId tensor, VersionId first, VersionId second) {
    const VersionId sum =
        define({.tensor = tensor, .gradient = true, .layout = plan_.versions[first.index()].layout});
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    work.read = amount(plan_.versions[first.index()]);
    work.written = work.read;
    // Compiled code adds the second contribution in the kernel that produces the first.
    work.kernels = stack_.compiled ? 0.0 : 1.0;
    plan_.launches.kernels += work.kernels * launches_;
    plan_.steps.push_back({"add d_" + block_.tensor(tensor).name, work, {first, second}, {sum}, {}, false});
    retired_.push_back(first);
    retired_.push_back(second);
    return sum;
}

std::optional<VersionId> PassBuilder::gradient_of(TensorId tensor) {
    const std::vector<VersionId>& parts = contributions_[tensor.index()];
    if (parts.empty()) return std::nullopt;
    return parts.front();
}

VersionId PassBuilder::input_of(const Operation& operation, const LetterAxes& letters, const Use& use) {
    const Layout layout = letters.layout(operation.letters_of(use.tensor));
    if (!use.gradient) {
        if (keeps_cast(operation, use.tensor)) {
            if (const auto there = find({.tensor = use.tensor, .layout = layout, .cast = true}))
                return *there;
            if (const auto kept = find({.tensor = use.tensor, .layout = stored(use.tensor), .cast = true}))
                return convert(*kept, layout);
        }
        return want(use.tensor, layout, gathers_casts(operation));
    }
    if (const auto there = find({.tensor = use.tensor, .gradient = true, .layout = layout})) return *there;
    return convert(*gradient_of(operation.results.front().tensor), layout);
}

void PassBuilder::run_backward(std::size_t index) {
    if (!flow_.runs[index]) return;
    const Operation& operation = block_.operations[index];
    const LetterAxes& letters = sharding_.letters[index];
    if (operation.view) return return_view(operation, letters);
    const auto out_gradient = gradient_of(operation.results.front().tensor);
    // Gathers for the weight gradient run while the input's gradient is computed.
    for (const Piece& piece : operation.backward) {
        if (!flow_.runs_piece(index, piece)) continue;
        for (const Use& use : piece.reads) static_cast<void>(input_of(operation, letters, use));
    }
    if (out_gradient) {
        cast(operation, letters, *out_gradient);
        for (const std::size_t operand : operation.passes_gradient) {
            if (!flow_.wanted[operation.operands[operand].tensor.index()]) continue;
            contribute(operation.operands[operand].tensor, *out_gradient);
        }
    }
    for (const bool weight_gradient : {false, true}) {
        for (const Piece& piece : operation.backward) {
            if (piece.weight_gradient != weight_gradient || !flow_.runs_piece(index, piece)) continue;
            if (is_ring(operation, letters)) {
                ring_backward(operation, letters, piece);
            } else {
                run_piece(operation, letters, piece);
            }
        }
    }
}

void PassBuilder::run_piece(const Operation& operation, const LetterAxes& letters, const Piece& piece) {
    std::vector<VersionId> inputs;
    for (const Use& use : piece.reads) inputs.push_back(input_of(operation, letters, use));
    std::vector<VersionId> outputs;
    std::vector<std::pair<TensorId, VersionId>> made;
    std::vector<ParameterGradient> gradients;
    for (const Use& use : piece.writes) {
        const std::string& own = operation.letters_of(use.tensor);
        if (block_.tensor(use.tensor).sparse) continue;  // its rows are updated immediately
        if (block_.tensor(use.tensor).frozen) continue;
        if (is_parameter(use.tensor)) {
            gradients.push_back({use.tensor, letters.partial(own), plan_.steps.size()});
            continue;
        }
        if (!flow_.wanted[use.tensor.index()]) continue;
        Layout layout = letters.layout(own);
        layout.partial = letters.partial(own);
        outputs.push_back(define({.tensor = use.tensor, .gradient = true, .layout = std::move(layout)}));
        made.emplace_back(use.tensor, outputs.back());
    }
    const std::string name = fmt::format("d_{}", block_.tensor(piece.writes.front().tensor).name);
    emit(operation, letters, as_the_last_rank(operation, letters, piece), name, inputs, outputs, Run::first);
    for (ParameterGradient& gradient : gradients)
        accumulate_apart(gradient, operation.letters_of(gradient.parameter), letters);
    plan_.gradients.insert(plan_.gradients.end(), gradients.begin(), gradients.end());
    for (const auto& [tensor, version] : made) contribute(tensor, version);
}

/// Whether a kernel of its own adds the gradient of a parameter to those of earlier microbatches.
bool PassBuilder::adds_apart(TensorId parameter) const {
    const Tensor& tensor = block_.tensor(parameter);
    const bool is_sharded =
        stack_.zero >= shards_gradients_from(stack_) && !(replicas_of(tensor) & sharding_.active).empty();
    return !stack_.fused_accumulation && !is_sharded && !tensor.sparse && !tensor.frozen;
}

/// Adds a kernel that adds the gradient of a parameter to the sum of those of earlier microbatches, unless
/// the kernel that computes it does.
void PassBuilder::accumulate_apart(ParameterGradient& gradient, const std::string& letters,
                                   const LetterAxes& axes) {
    if (!adds_apart(gradient.parameter)) return;
    const VersionId fresh =
        define({.tensor = gradient.parameter, .gradient = true, .layout = axes.layout(letters)});
    const Amount sum = amount(plan_.versions[fresh.index()]);
    plan_.versions[fresh.index()].unsummed = true;
    plan_.steps[gradient.step].outputs.push_back(fresh);
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    work.written = sum;
    work.read = sum;
    work.read.append(amount(plan_.versions[fresh.index()]));
    // The framework's hook runs this one operator.
    plan_.launches.kernels += work.kernels * stack_.backward_launches;
    gradient.step = plan_.steps.size();
    plan_.steps.push_back(
        {"add d_" + block_.tensor(gradient.parameter).name, std::move(work), {fresh}, {}, {}, false});
}

/// The gradient of a view's operand consists of the gradients of its results.
void PassBuilder::return_view(const Operation& operation, const LetterAxes& letters) {
    const Operation::Operand& operand = operation.operands.front();
    std::vector<VersionId> parts;
    for (const Operation::Operand& result : operation.results) {
        const auto gradient = gradient_of(result.tensor);
        DSE_REQUIRE(gradient.has_value());
        parts.push_back(*gradient);
    }
    // A change of the folding needs a version with a different layout for the same memory.
    if (parts.size() == 1 && !operation.refolding) return contribute(operand.tensor, parts.front());
    contribute(operand.tensor, define({.tensor = operand.tensor,
                                       .gradient = true,
                                       .layout = letters.layout(operand.letters),
                                       .memory = std::move(parts)}));
}

/// A contiguous copy, because the output of the block is a single buffer.
VersionId PassBuilder::joined(VersionId parts) {
    const Version version = plan_.versions[parts.index()];
    const VersionId whole =
        define({.tensor = version.tensor, .gradient = version.gradient, .layout = version.layout});
    ComputeFormula copy;
    copy.op_class = graph::OpClass::elementwise;
    copy.read = amount(version);
    copy.written = copy.read;
    plan_.launches.kernels += copy.kernels * launches_;
    plan_.steps.push_back(
        {"join d_" + block_.tensor(version.tensor).name, copy, {parts}, {whole}, {}, false});
    return whole;
}

PassPlan PassBuilder::backward(const std::set<TensorId>& kept) {
    run_hooks();
    prepare_gradients();
    const std::set<TensorId> casts = kept_as_cast(kept);
    for (const TensorId tensor : kept) {
        const bool cast = casts.count(tensor) > 0;
        if (cast) plan_.saved.push_back(define({.tensor = tensor, .layout = stored(tensor), .cast = true}));
        if (!cast || is_read_uncast(tensor))
            plan_.saved.push_back(define({.tensor = tensor, .layout = stored(tensor)}));
    }
    copy_kept_rows("reload rows");
    std::optional<VersionId> entry;
    if (block_.output)
        entry = plan_.entry = define({.tensor = *block_.output, .gradient = true, .layout = sharding_.exit});
    if (block_.recomputable && stack_.recompute == graph::Recompute::full) recompute_all();
    launches_ = stack_.launch_factor * stack_.backward_launches;
    if (entry) contribute(*block_.output, *entry);
    for (std::size_t i = block_.operations.size(); i > 0; --i) run_backward(i - 1);
    if (block_.input) {
        plan_.exit = gradient_of(*block_.input);
        DSE_REQUIRE(plan_.exit.has_value());
        if (plan_.versions[plan_.exit->index()].memory.size() > 1) plan_.exit = joined(*plan_.exit);
    }
    return std::move(plan_);
}

}  // namespace dse::frontend
