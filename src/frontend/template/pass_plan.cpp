#include "dse/frontend/template/pass_plan.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "gradient_flow.hpp"

namespace dse::frontend {
namespace {

using workload::AxisSet;
using workload::CollectiveKind;

enum class Direction { forward, backward };

/// Builds one pass: keeps track of which versions exist, and adds what is missing.
class PassBuilder {
  public:
    PassBuilder(const Block& block, const Sharding& sharding, const workload::TrainingStack& stack,
                Extents& extents)
        : block_{block}, sharding_{sharding}, stack_{stack}, extents_{extents} {}

    PassPlan forward(const std::set<TensorId>& kept);
    PassPlan backward(const std::set<TensorId>& kept);

  private:
    [[nodiscard]] const Layout& home(TensorId tensor) const { return sharding_.layouts[tensor.index()]; }
    [[nodiscard]] Layout stored(TensorId tensor) const;
    [[nodiscard]] bool is_parameter(TensorId tensor) const {
        return block_.tensor(tensor).role == TensorRole::parameter;
    }

    VersionId define(TensorId tensor, bool gradient, Layout layout, bool gathered = false) {
        plan_.versions.push_back({tensor, gradient, std::move(layout), gathered});
        return VersionId(plan_.versions.size() - 1);
    }

    [[nodiscard]] std::optional<VersionId> find(TensorId tensor, bool gradient, const Layout& layout) const {
        for (std::size_t i = 0; i < plan_.versions.size(); ++i) {
            const Version& version = plan_.versions[i];
            const bool dead = std::find(retired_.begin(), retired_.end(), VersionId(i)) != retired_.end();
            if (!dead && version.tensor == tensor && version.gradient == gradient && version.layout == layout)
                return VersionId(i);
        }
        return std::nullopt;
    }

    VersionId convert(VersionId from, const Layout& wanted);
    VersionId want(TensorId tensor, const Layout& wanted);
    void cast(const Operation& operation, VersionId operand);
    VersionId source(TensorId tensor);
    void recompute_all();
    void run_forward(std::size_t operation, bool again);
    void run_backward(std::size_t operation);
    void emit(const Operation& operation, const LetterAxes& letters, const Piece& piece,
              const std::string& name, const std::vector<VersionId>& inputs,
              const std::vector<VersionId>& outputs, bool again);

    void prepare_gradients();
    [[nodiscard]] std::optional<VersionId> gradient_of(TensorId tensor);
    void contribute(TensorId tensor, VersionId version);
    void finish_gradient(TensorId tensor);
    void add_alike(TensorId tensor, std::vector<VersionId>& parts);
    VersionId add(TensorId tensor, VersionId first, VersionId second);

    void collect_saved(const std::set<TensorId>& kept);
    [[nodiscard]] Amount amount(const Version& version) {
        return amount_of(block_.tensor(version.tensor), version.gradient, version.layout, extents_);
    }
    std::vector<ExtentId> extents(const std::vector<Factor>& factors, const LetterAxes& letters) {
        std::vector<ExtentId> result;
        for (const Factor& factor : factors) {
            result.push_back(
                extents_.intern({factor.dim, factor.letter == '\0' ? AxisSet{} : letters.of(factor.letter)}));
        }
        return result;
    }

    const Block& block_;
    const Sharding& sharding_;
    const workload::TrainingStack& stack_;
    Extents& extents_;
    PassPlan plan_;
    std::vector<VersionId> retired_;
    std::vector<VersionId> copies_;  ///< gathered copies of forward tensors
    GradientFlow flow_;
    std::vector<int> pending_;                           ///< contributions still to come, by tensor
    std::vector<std::vector<VersionId>> contributions_;  ///< by tensor
};

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
    DSE_REQUIRE(false && "a slice is no collective");
    return CollectiveKind::all_reduce;
}

VersionId PassBuilder::convert(VersionId from, const Layout& wanted) {
    const Version origin = plan_.versions[from.index()];
    VersionId current = from;
    for (const Conversion& conversion : conversions(origin.layout, wanted)) {
        const bool slice = conversion.kind == Conversion::Kind::slice;
        const VersionId next = define(origin.tensor, origin.gradient, conversion.after, !slice);
        Step step;
        step.inputs = {current};
        step.outputs = {next};
        const std::string what =
            fmt::format("{}{}", origin.gradient ? "d_" : "", block_.tensor(origin.tensor).name);
        if (slice) {
            // The part is copied out, so that the whole can go.
            ComputeFormula copy;
            copy.op_class = workload::OpClass::elementwise;
            copy.read = amount(plan_.versions[next.index()]);
            copy.written = copy.read;
            plan_.kernels += copy.kernels;
            step.name = "slice " + what;
            step.work = std::move(copy);
        } else {
            // The full buffer of FORMULAS §4: what is gathered, or what is there before it is reduced or
            // exchanged.
            const bool grows = conversion.kind == Conversion::Kind::all_gather;
            const Version& full = plan_.versions[grows ? next.index() : current.index()];
            const CollectiveKind kind = collective_of(conversion.kind);
            step.name = fmt::format("{} {}", workload::name(kind), what);
            step.work = CollectiveFormula{kind, conversion.axes, amount(full)};
            plan_.kernels += stack_.launch_factor;
            if (grows && !origin.gradient && conversion.after != stored(origin.tensor))
                copies_.push_back(next);
        }
        plan_.steps.push_back(std::move(step));
        current = next;
    }
    return current;
}

/// Whether a tensor has come to another folding of the devices, from where tokens go to their experts.
bool is_refolded(const Block& block, TensorId tensor) {
    return std::any_of(block.operations.begin(), block.operations.end(), [&](const Operation& operation) {
        return operation.refolding && operation.results.front().tensor == tensor;
    });
}

/// How a tensor is kept for the backward pass: as it was produced, or, where that is a partial sum or tokens
/// on their way, as the first operation that reads it has it (tokens are dispatched once).
Layout PassBuilder::stored(TensorId tensor) const {
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        for (const Operation::Operand& operand : block_.operations[i].operands) {
            if (operand.tensor != tensor) continue;
            Layout read = sharding_.letters[i].layout(operand.letters);
            const bool made_new = !home(tensor).partial.empty() || is_refolded(block_, tensor);
            return made_new ? read : home(tensor);
        }
    }
    return home(tensor).partial.empty() ? home(tensor) : sharding_.boundary;
}

/// The version of a forward tensor from which others are made.
VersionId PassBuilder::source(TensorId tensor) {
    if (const auto there = find(tensor, false, home(tensor))) return *there;
    if (const auto there = find(tensor, false, stored(tensor))) return *there;
    const Tensor& what = block_.tensor(tensor);
    if (what.role == TensorRole::parameter || what.role == TensorRole::input)
        return define(tensor, false, home(tensor));
    // Dropped by the forward pass: made again.
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        for (const Operation::Operand& result : block_.operations[i].results) {
            if (result.tensor != tensor) continue;
            run_forward(i, true);
            const auto made = find(tensor, false, home(tensor));
            DSE_REQUIRE(made.has_value());
            return *made;
        }
    }
    DSE_REQUIRE(false && "every computed tensor has an operation");
    return VersionId{};
}

VersionId PassBuilder::want(TensorId tensor, const Layout& wanted) {
    if (const auto there = find(tensor, false, wanted)) return *there;
    return convert(source(tensor), wanted);
}

/// Whether an operation is a product of a parameter that runs in eight or four bits.
bool is_narrow(const Operation& operation, const Block& block, const workload::TrainingStack& stack) {
    const bool narrow = bytes_of(stack.precision) < Bytes{2};
    const bool linear = operation.forward.op_class == workload::OpClass::gemm &&
                        std::any_of(operation.operands.begin(), operation.operands.end(),
                                    [&](const Operation::Operand& operand) {
                                        return block.tensor(operand.tensor).role == TensorRole::parameter;
                                    });
    return narrow && linear;
}

/// An operand becomes narrow: read once, written in both orders of its dimensions, for the forward and the
/// backward product. Scales a block of elements cost another pass over two thirds of it (ACCURACY: casts
/// x 1.66).
void PassBuilder::cast(const Operation& operation, VersionId operand) {
    if (!is_narrow(operation, block_, stack_)) return;
    const Version& version = plan_.versions[operand.index()];
    if (is_parameter(version.tensor) && !version.gradient) return;
    const double recipe = stack_.cast_recipe == workload::CastRecipe::block ? 1.66 : 1.0;
    ComputeFormula work;
    work.op_class = workload::OpClass::elementwise;
    work.read = amount(version);
    work.read.terms.front().factor *= recipe;
    work.written = amount(version);
    work.written.terms.front().storage = Storage::mask;
    work.written.terms.front().factor *= 2.0 * recipe;
    plan_.kernels += work.kernels * stack_.launch_factor;
    plan_.steps.push_back(
        {"cast " + block_.tensor(version.tensor).name, std::move(work), {operand}, {}, false});
}

void PassBuilder::emit(const Operation& operation, const LetterAxes& letters, const Piece& piece,
                       const std::string& name, const std::vector<VersionId>& inputs,
                       const std::vector<VersionId>& outputs, bool again) {
    ComputeFormula work;
    work.op_class = piece.op_class;
    work.is_gemm = !piece.gemm.empty();
    work.batch = extents(piece.gemm.batch, letters);
    work.m = extents(piece.gemm.m, letters);
    work.n = extents(piece.gemm.n, letters);
    work.k = extents(piece.gemm.k, letters);
    extents(operation.indivisible, letters);
    work.model_factor = again ? 0.0 : piece.model_factor;
    work.executed_factor = piece.executed_factor;
    // Products with a scale a row run on kernels of an early generation (ACCURACY: GEMM x 0.62).
    const bool by_row = stack_.cast_recipe == workload::CastRecipe::row;
    if (by_row && is_narrow(operation, block_, stack_)) work.efficiency = 0.62;
    work.kernels = stack_.compiled ? piece.kernels : piece.eager_kernels;
    plan_.kernels += work.kernels * stack_.launch_factor;

    Step step;
    const auto traffic = [&](const std::vector<Use>& uses, Amount& total) {
        for (const Use& use : uses) {
            if (use.passes == 0.0) continue;
            const Layout layout = letters.layout(operation.letters_of(use.tensor));
            const Amount bytes = amount_of(block_.tensor(use.tensor), use.gradient, layout, extents_);
            for (Amount::Term term : bytes.terms) {
                term.factor *= use.passes;
                total.terms.push_back(std::move(term));
            }
        }
    };
    if (piece.bytes_per_element > 0.0) {
        Amount elements =
            amount_of(block_.tensor(piece.reads.front().tensor), false,
                      letters.layout(operation.letters_of(piece.reads.front().tensor)), extents_);
        elements.terms.front().storage = Storage::mask;
        elements.terms.front().factor = piece.bytes_per_element;
        work.read = std::move(elements);
    } else if (piece.op_class != workload::OpClass::loss) {
        traffic(piece.reads, work.read);
        traffic(piece.writes, work.written);
    }
    if (!stack_.compiled && !work.is_gemm && piece.bytes_per_element == 0.0) {
        // Operator by operator, every kernel of a chain reads and writes the tensor again.
        for (Amount* bytes : {&work.read, &work.written}) {
            for (Amount::Term& term : bytes->terms) term.factor *= std::max(1.0, piece.eager_kernels);
        }
    }
    for (const Use& use : piece.reads)
        step.reads_parameters = step.reads_parameters || (!use.gradient && is_parameter(use.tensor));
    step.name = name;
    step.work = std::move(work);
    step.inputs = inputs;
    step.outputs = outputs;
    plan_.steps.push_back(std::move(step));
}

void PassBuilder::run_forward(std::size_t index, bool again) {
    const Operation& operation = block_.operations[index];
    const LetterAxes& letters = sharding_.letters[index];
    std::vector<VersionId> inputs;
    for (const Operation::Operand& operand : operation.operands) {
        Layout wanted = letters.layout(operand.letters);
        wanted.partial = sharding_.unreduced[index];
        inputs.push_back(want(operand.tensor, wanted));
        cast(operation, inputs.back());
    }
    std::vector<VersionId> outputs;
    for (const Operation::Operand& result : operation.results) {
        if (find(result.tensor, false, home(result.tensor))) continue;
        outputs.push_back(define(result.tensor, false, home(result.tensor)));
    }
    const std::string name = block_.tensor(operation.results.front().tensor).name;
    emit(operation, letters, operation.forward, again ? "again " + name : name, inputs, outputs, again);
}

PassPlan PassBuilder::forward(const std::set<TensorId>& kept) {
    if (block_.input) plan_.entry = define(*block_.input, false, sharding_.boundary);
    for (std::size_t i = 0; i < block_.operations.size(); ++i) run_forward(i, false);
    if (block_.output) plan_.exit = want(*block_.output, sharding_.boundary);
    collect_saved(kept);
    return std::move(plan_);
}

void PassBuilder::collect_saved(const std::set<TensorId>& kept) {
    for (const TensorId tensor : kept) {
        plan_.saved.push_back(want(tensor, stored(tensor)));
    }
}

/// Runs the forward pass again. What it gathers is kept no longer than in a first forward pass: the backward
/// pass gathers again what it reads.
void PassBuilder::recompute_all() {
    for (std::size_t i = 0; i < block_.operations.size(); ++i) run_forward(i, true);
    retired_.insert(retired_.end(), copies_.begin(), copies_.end());
}

/// Which tensors have a gradient, and how many contributions each gets.
void PassBuilder::prepare_gradients() {
    flow_ = gradient_flow(block_);
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
    contributions_[tensor.index()].push_back(version);
    --pending_[tensor.index()];
    if (pending_[tensor.index()] == 0) finish_gradient(tensor);
}

/// All contributions are there: those that lie alike are added, what is left comes to lie as the tensor does
/// and is added as well. So a partial sum is reduced once, whatever it is a sum of.
void PassBuilder::finish_gradient(TensorId tensor) {
    std::vector<VersionId>& parts = contributions_[tensor.index()];
    add_alike(tensor, parts);
    Layout target = home(tensor);
    target.partial = AxisSet{};
    for (VersionId& part : parts) part = convert(part, target);
    add_alike(tensor, parts);
    DSE_ENSURE(parts.size() == 1);
}

/// Adds those of the gradients of a tensor that lie in the same layout.
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
    const VersionId sum = define(tensor, true, plan_.versions[first.index()].layout);
    ComputeFormula work;
    work.op_class = workload::OpClass::elementwise;
    work.read = amount(plan_.versions[first.index()]);
    work.written = work.read;
    // Compiled code adds the second contribution where the first is produced.
    work.kernels = stack_.compiled ? 0.0 : 1.0;
    plan_.kernels += work.kernels * stack_.launch_factor;
    plan_.steps.push_back({"add d_" + block_.tensor(tensor).name, work, {first, second}, {sum}, false});
    retired_.push_back(first);
    retired_.push_back(second);
    return sum;
}

std::optional<VersionId> PassBuilder::gradient_of(TensorId tensor) {
    const std::vector<VersionId>& parts = contributions_[tensor.index()];
    if (parts.empty()) return std::nullopt;
    return parts.front();
}

void PassBuilder::run_backward(std::size_t index) {
    if (!flow_.runs[index]) return;
    const Operation& operation = block_.operations[index];
    const LetterAxes& letters = sharding_.letters[index];
    const auto out_gradient = gradient_of(operation.results.front().tensor);

    const auto input_of = [&](const Use& use) {
        const Layout layout = letters.layout(operation.letters_of(use.tensor));
        if (!use.gradient) return want(use.tensor, layout);
        if (const auto there = find(use.tensor, true, layout)) return *there;
        return convert(*out_gradient, layout);
    };
    const auto wanted = [&](const Piece& piece) {
        return std::any_of(piece.writes.begin(), piece.writes.end(),
                           [&](const Use& use) { return flow_.wanted[use.tensor.index()]; });
    };
    // What the weight gradient has to gather is on its way while the input's gradient is computed.
    for (const Piece& piece : operation.backward) {
        if (!wanted(piece)) continue;
        for (const Use& use : piece.reads) input_of(use);
    }
    if (out_gradient) cast(operation, *out_gradient);
    if (out_gradient) {
        for (const std::size_t operand : operation.passes_gradient) {
            if (!flow_.wanted[operation.operands[operand].tensor.index()]) continue;
            contribute(operation.operands[operand].tensor, *out_gradient);
        }
    }
    for (const bool weight_gradient : {false, true}) {
        for (const Piece& piece : operation.backward) {
            if (piece.weight_gradient != weight_gradient || !wanted(piece)) continue;
            std::vector<VersionId> inputs;
            for (const Use& use : piece.reads) inputs.push_back(input_of(use));
            std::vector<VersionId> outputs;
            std::vector<std::pair<TensorId, VersionId>> made;
            std::vector<ParameterGradient> gradients;
            for (const Use& use : piece.writes) {
                const std::string& own = operation.letters_of(use.tensor);
                if (is_parameter(use.tensor)) {
                    gradients.push_back({use.tensor, letters.partial(own), plan_.steps.size()});
                    continue;
                }
                if (!flow_.wanted[use.tensor.index()]) continue;
                Layout layout = letters.layout(own);
                layout.partial = letters.partial(own);
                outputs.push_back(define(use.tensor, true, std::move(layout)));
                made.emplace_back(use.tensor, outputs.back());
            }
            const std::string name = fmt::format("d_{}", block_.tensor(piece.writes.front().tensor).name);
            emit(operation, letters, piece, name, inputs, outputs, false);
            plan_.gradients.insert(plan_.gradients.end(), gradients.begin(), gradients.end());
            for (const auto& [tensor, version] : made) contribute(tensor, version);
        }
    }
}

PassPlan PassBuilder::backward(const std::set<TensorId>& kept) {
    prepare_gradients();
    for (const TensorId tensor : kept) plan_.saved.push_back(define(tensor, false, stored(tensor)));
    std::optional<VersionId> entry;
    if (block_.output) entry = plan_.entry = define(*block_.output, true, sharding_.boundary);
    if (block_.recomputable && stack_.recompute == workload::Recompute::full) recompute_all();
    if (entry) contribute(*block_.output, *entry);
    for (std::size_t i = block_.operations.size(); i > 0; --i) run_backward(i - 1);
    if (block_.input) {
        plan_.exit = gradient_of(*block_.input);
        DSE_REQUIRE(plan_.exit.has_value());
    }
    return std::move(plan_);
}

/// The forward tensors that backward kernels read.
std::set<TensorId> read_by_backward(const Block& block) {
    std::set<TensorId> tensors;
    for (const Operation& operation : block.operations) {
        for (const Piece& piece : operation.backward) {
            for (const Use& use : piece.reads) {
                const TensorRole role = block.tensor(use.tensor).role;
                if (use.gradient || role == TensorRole::parameter || role == TensorRole::input) continue;
                tensors.insert(use.tensor);
            }
        }
    }
    return tensors;
}

/// What a tensor is made from again ends at what is kept, and at what enters the block, which then has to be.
void keep_origins(const Block& block, TensorId tensor, std::set<TensorId>& kept) {
    if (kept.count(tensor) > 0) return;
    if (block.tensor(tensor).role == TensorRole::boundary) kept.insert(tensor);
    for (const Operation& operation : block.operations) {
        for (const Operation::Operand& result : operation.results) {
            if (result.tensor != tensor) continue;
            for (const Operation::Operand& operand : operation.operands)
                keep_origins(block, operand.tensor, kept);
        }
    }
}

std::set<TensorId> kept_tensors(const Block& block, const workload::TrainingStack& stack) {
    std::set<TensorId> kept = read_by_backward(block);
    if (!block.recomputable || stack.recompute == workload::Recompute::none) return kept;
    if (stack.recompute == workload::Recompute::full) {
        kept.clear();
        if (block.input) kept.insert(*block.input);
        return kept;
    }
    std::set<TensorId> dropped;
    for (const TensorId tensor : block.selective) {
        if (kept.erase(tensor) > 0) dropped.insert(tensor);
    }
    for (const TensorId tensor : dropped) keep_origins(block, tensor, kept);
    return kept;
}

}  // namespace

Amount amount_of(const Tensor& tensor, bool gradient, const Layout& layout, Extents& extents) {
    Amount::Term term;
    term.storage = tensor.storage;
    if (gradient && tensor.storage == Storage::parameter) term.storage = Storage::gradient;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        term.extents.push_back(extents.intern({tensor.shape[i], layout.split[i]}));
    }
    return {{std::move(term)}};
}

BlockPlans plan_passes(const Block& block, const Sharding& sharding, const workload::TrainingStack& stack,
                       Extents& extents) {
    const std::set<TensorId> kept = kept_tensors(block, stack);
    return {PassBuilder(block, sharding, stack, extents).forward(kept),
            PassBuilder(block, sharding, stack, extents).backward(kept)};
}

}  // namespace dse::frontend
