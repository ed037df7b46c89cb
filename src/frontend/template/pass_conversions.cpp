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

}  // namespace dse::frontend
