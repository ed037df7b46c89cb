#include <fmt/format.h>

#include "pass_builder.hpp"

/// Ring attention: keys and values circulate among the context-parallel ranks, one shard per step, while the
/// kernel processes the shard that has arrived. Each step takes the same time on all ranks: a rank holds the
/// i-th chunk of the sequence from its start and the i-th from its end, so that causality masks half of the
/// scores in each step. Source: Liu et al., Ring Attention with Blockwise Transformers, 2023; Megatron Core's
/// context parallelism.
namespace dse::frontend {

using graph::AxisSet;

/// With contiguous shards of a causal sequence, the last rank's queries attend to all keys except half of its
/// own, which is (2c - 1)/c of the mean. All ranks are modelled with this work because they wait for the last
/// one.
Piece PassBuilder::as_the_last_rank(const Operation& operation, const LetterAxes& letters,
                                    Piece piece) const {
    const bool skewed = operation.causal && !stack_.balanced_context && !operation.context_split.empty() &&
                        letters.of('s').contains(graph::MeshAxis::context);
    if (skewed) piece.executed_factor *= 2.0 - 1.0 / static_cast<double>(ring_);
    return piece;
}

VersionId PassBuilder::shift(VersionId from, AxisSet axes, double share) {
    const Version origin = plan_.versions[from.index()];
    const VersionId next = define(
        {.tensor = origin.tensor, .gradient = origin.gradient, .layout = origin.layout, .gathered = true});
    retired_.push_back(next);  // another rank's shard, which must not be mistaken for this rank's
    CollectiveFormula work{graph::CollectiveKind::ring_shift, axes, amount(origin)};
    work.size.terms.front().factor *= share;
    plan_.launches.kernels += launches_;
    plan_.steps.push_back({fmt::format("{} {}{}", graph::name(work.kind), origin.gradient ? "d_" : "",
                                       block_.tensor(origin.tensor).name),
                           work,
                           {from},
                           {next},
                           {},
                           false});
    return next;
}

void PassBuilder::ring_forward(const Operation& operation, const LetterAxes& letters, const std::string& name,
                               std::vector<VersionId> inputs, const std::vector<VersionId>& outputs,
                               Run run) {
    const AxisSet axes = letters.of(operation.circulating);
    Piece piece = operation.forward;
    for (std::int64_t step = 0; step < ring_; ++step) {
        const std::vector<VersionId> held = inputs;
        for (std::size_t i = 0; i < inputs.size() && step + 1 < ring_; ++i) {
            if (operation.circulates(operation.operands[i]))
                inputs[i] = shift(inputs[i], axes, piece.reads[i].passes);
        }
        emit(operation, letters, piece, fmt::format("{} {}", name, step), held,
             step == 0 ? outputs : std::vector<VersionId>{}, run);
        if (step > 0) plan_.steps.back().updates = outputs;
        if (step > 0) continue;
        // From the second step on, the previous result is read, rescaled to the new maximum and written
        // again; with contiguous shards, the last rank attends to the whole of each arriving shard.
        piece.reads.insert(piece.reads.end(), piece.writes.begin(), piece.writes.end());
        if (operation.causal && !stack_.balanced_context) piece.executed_factor *= 2.0;
    }
}

/// Gradients of keys and values circulate one step behind them; each rank adds its part, and they end on the
/// ranks that own the shards.
void PassBuilder::ring_backward(const Operation& operation, const LetterAxes& letters, const Piece& piece) {
    const AxisSet axes = letters.of(operation.circulating);
    const auto goes_round = [&](TensorId tensor) {
        return operation.letters_of(tensor).find(operation.circulating) != std::string::npos;
    };
    std::vector<VersionId> inputs;
    for (const Use& use : piece.reads) inputs.push_back(input_of(operation, letters, use));
    std::vector<VersionId> stays;
    std::vector<VersionId> results(piece.writes.size());
    Piece chunk = piece;
    if (operation.causal && !stack_.balanced_context) chunk.executed_factor *= 2.0;
    for (std::int64_t step = 0; step < ring_; ++step) {
        const std::vector<VersionId> held = inputs;
        for (std::size_t i = 0; i < inputs.size() && step + 1 < ring_; ++i) {
            const Use& use = piece.reads[i];
            if (!use.gradient && goes_round(use.tensor)) inputs[i] = shift(inputs[i], axes, use.passes);
        }
        std::vector<VersionId> outputs;
        std::vector<VersionId> arrived = results;
        for (std::size_t i = 0; i < piece.writes.size(); ++i) {
            const TensorId tensor = piece.writes[i].tensor;
            const bool travels = goes_round(tensor);
            if (!travels && step > 0) continue;
            results[i] = define(
                {.tensor = tensor, .gradient = true, .layout = letters.layout(operation.letters_of(tensor))});
            outputs.push_back(results[i]);
            if (travels) {
                retired_.push_back(results[i]);
            } else {
                stays.push_back(results[i]);
                chunk.reads.push_back(piece.writes[i]);
            }
        }
        const std::string& name = block_.tensor(piece.writes.front().tensor).name;
        emit(operation, letters, step == 0 ? piece : chunk, fmt::format("d_{} {}", name, step), held, outputs,
             Run::first);
        if (step > 0) plan_.steps.back().updates = stays;
        for (std::size_t i = 0; i < piece.writes.size(); ++i) {
            if (!goes_round(piece.writes[i].tensor)) continue;
            if (step > 0) accumulate(results[i], arrived[i]);
            results[i] = shift(results[i], axes, piece.writes[i].passes);
        }
    }
    for (std::size_t i = 0; i < piece.writes.size(); ++i) contribute(piece.writes[i].tensor, results[i]);
}

void PassBuilder::accumulate(VersionId into, VersionId arrived) {
    ComputeFormula work;
    work.op_class = graph::OpClass::elementwise;
    work.read = amount(plan_.versions[into.index()]);
    work.written = work.read;
    work.read.terms.front().factor *= 2.0;
    plan_.launches.kernels += work.kernels * launches_;
    const std::string& name = block_.tensor(plan_.versions[into.index()].tensor).name;
    plan_.steps.push_back({"add d_" + name, std::move(work), {arrived}, {}, {into}, false});
}

}  // namespace dse::frontend
