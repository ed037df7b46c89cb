// Versions of tensors in other layouts: the collectives, slices and copies that make them.
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "narrow_products.hpp"
#include "pass_builder.hpp"

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

/// The same tensor or gradient, cast or not, in memory of its own.
Version like(const Version& version, const Layout& layout) {
    return {.tensor = version.tensor, .gradient = version.gradient, .layout = layout, .cast = version.cast};
}

}  // namespace

bool PassBuilder::is_gathered_over_tp(const Layout& have, const Layout& want) {
    const std::vector<Conversion> steps = conversions(have, want);
    return steps.size() == 1 && steps.front().kind == Conversion::Kind::all_gather &&
           steps.front().axes == tensor_axis;
}

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

/// The slice is a copy, so that the whole tensor can be freed.
VersionId PassBuilder::slice(VersionId whole, const Layout& after, const std::string& name) {
    const VersionId next = define(like(plan_.versions[whole.index()], after));
    ComputeFormula copy;
    copy.op_class = graph::OpClass::elementwise;
    copy.read = amount(plan_.versions[next.index()]);
    copy.written = copy.read;
    plan_.launches.kernels += copy.kernels;
    plan_.steps.push_back({"slice " + name, std::move(copy), {whole}, {next}});
    return next;
}

/// Runs the collective of a conversion, and the copies and sorting kernels that it needs on either side.
VersionId PassBuilder::communicate(VersionId from, const Conversion& conversion, const std::string& name,
                                   bool casts) {
    Version result = like(plan_.versions[from.index()], conversion.after);
    result.gathered = true;
    const TensorId tensor = result.tensor;
    const VersionId next = define(std::move(result));
    const CollectiveKind kind = collective_of(conversion.kind);
    const bool gathers = kind == CollectiveKind::all_gather;
    const bool exchanges = kind == CollectiveKind::all_to_all;
    const bool reaches_experts = exchanges && conversion.axes.contains(graph::MeshAxis::expert);
    const bool sorts_rows = reaches_experts && sorts(tensor);
    const bool arrives = conversion.after.split.front().contains(graph::MeshAxis::expert);
    if (sorts_rows && !arrives) sort(from, name);
    // The full buffer as defined in docs/theory/communication.md: the result of a gather, or the input of a
    // reduction or exchange.
    const Version& full = plan_.versions[gathers ? next.index() : from.index()];
    CollectiveFormula collective{kind, conversion.axes, amount(full)};
    if (reaches_experts) {
        collective.choices = choices_;
        collective.dispatch_rate = stack_.dispatch_rate;
    }
    const bool carries_cast =
        exchanges ? sends_cast(tensor) : casts && gathers && conversion.axes == tensor_axis;
    if (carries_cast) {
        for (Amount::Term& term : collective.size.terms) term.storage = Storage::cast;
    }
    plan_.launches.kernels += launches_;
    if (gathers && !full.gradient && conversion.after != stored(tensor)) copies_.push_back(next);
    if (kind == CollectiveKind::reduce_scatter) copy_for_collective(from, conversion.after, name);
    plan_.steps.push_back(
        {fmt::format("{} {}", graph::name(kind), name), std::move(collective), {from}, {next}});
    if (gathers) copy_for_collective(next, plan_.versions[from.index()].layout, name);
    if (sorts_rows && arrives) sort(next, name);
    return next;
}

VersionId PassBuilder::convert(VersionId from, const Layout& wanted, bool casts) {
    const Version origin = plan_.versions[from.index()];
    const std::string name = (origin.gradient ? "d_" : "") + block_.tensor(origin.tensor).name;
    VersionId current = from;
    for (const Conversion& conversion : conversions(origin.layout, wanted)) {
        current = conversion.kind == Conversion::Kind::slice ? slice(current, conversion.after, name)
                                                             : communicate(current, conversion, name, casts);
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
    if (const auto there = find(as_produced(tensor))) return *there;
    if (const auto there = find({.tensor = tensor, .layout = stored(tensor)})) return *there;
    if (is_given(tensor)) return define(as_produced(tensor));
    // Dropped by the forward pass: recompute it.
    for (std::size_t i = 0; i < block_.operations.size(); ++i) {
        for (const Operation::Operand& result : block_.operations[i].results) {
            if (result.tensor != tensor) continue;
            const double launches = std::exchange(launches_, stack_.launch_factor);
            run_forward(i, Run::again);
            launches_ = launches;
            const auto made = find(as_produced(tensor));
            DSE_REQUIRE(made.has_value());
            return *made;
        }
    }
    DSE_REQUIRE(false && "every computed tensor has an operation");
    return VersionId{};
}

VersionId PassBuilder::want(TensorId tensor, const Layout& wanted, bool casts) {
    if (const auto there = find({.tensor = tensor, .layout = wanted})) return *there;
    return convert(source(tensor), wanted, casts);
}

}  // namespace dse::frontend
