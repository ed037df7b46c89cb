#include "dse/frontend/template/formula.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;
using graph::Precision;

/// Width of the heads that rates of fused attention are stated for.
constexpr double usual_width = 128.0;

/// \param values  by ExtentId
/// \param result  by ProductId
void multiply(const std::vector<Product>& products, const std::vector<double>& values,
              std::vector<double>& result) {
    result.resize(products.size());
    result.front() = 1.0;
    for (std::size_t i = 1; i < products.size(); ++i)
        result[i] = result[products[i].rest.index()] * values[products[i].last.index()];
}

graph::GemmShape shape_of(const ComputeFormula& formula, const std::vector<double>& products) {
    return {products[formula.batch.index()], products[formula.m.index()], products[formula.n.index()],
            products[formula.k.index()]};
}

Flop flop_of(const graph::GemmShape& shape) {
    return Flop{2.0 * shape.batch * shape.m * shape.n * shape.k};
}

[[noreturn]] void not_divisible(const Extent& extent, double value, const Dimensions& dimensions,
                                const Numbers& numbers) {
    if (!std::isfinite(value) || value < 1.0) {
        throw ModelError(fmt::format("dimension {} has no whole value", dimensions.text(extent.dim)));
    }
    std::string axes;
    for (const MeshAxis axis : numbers.mesh.order) {
        if (!extent.split.contains(axis)) continue;
        axes +=
            fmt::format("{}{} {}", axes.empty() ? "" : " x ", short_name(axis), numbers.mesh.degree(axis));
    }
    const std::string& name = dimensions.text(extent.dim);
    // Ranks of adapters are sizes without a name.
    if (name == fmt::format("{}", value))
        throw ModelError(
            fmt::format("{} (a size of one block, as the model states it, or the rank of an adapter) is not "
                        "divisible by {}",
                        name, axes));
    throw ModelError(fmt::format("dimension {} = {} is not divisible by {}", name, value, axes));
}

void evaluate_compute(const ComputeFormula& formula, const Numbers& numbers, graph::Work& work) {
    graph::Compute compute;
    compute.op_class = formula.op_class;
    compute.precision = formula.wide                                    ? numbers.activation_precision
                        : formula.op_class == graph::OpClass::gemm      ? numbers.gemm_precision
                        : formula.op_class == graph::OpClass::attention ? numbers.attention_precision
                                                                        : numbers.activation_precision;
    if (formula.is_gemm) {
        compute.gemm = shape_of(formula, numbers.products);
        if (compute.gemm.m > formula.few_rows) compute.gemm.m += formula.more_rows;
        compute.model_flop = flop_of(shape_of(formula, numbers.mean_products)) * formula.model_factor;
        if (!formula.repeated.empty())
            compute.model_flop =
                compute.model_flop / static_cast<double>(numbers.mesh.degree(formula.repeated));
        compute.executed_flop = flop_of(compute.gemm) * formula.executed_factor;
    }
    compute.read = Bytes{evaluate(formula.read, numbers)};
    compute.written = Bytes{evaluate(formula.written, numbers)};
    if (!formula.lane_cycles.terms.empty()) compute.lane_cycles = evaluate(formula.lane_cycles, numbers);
    compute.kernels = formula.kernels;
    if (formula.times) compute.kernels *= std::max(1.0, numbers.extents[formula.times->index()]);
    compute.efficiency = formula.efficiency;
    compute.of_experts = formula.of_experts;
    if (formula.ramp > 0.0) compute.efficiency *= compute.gemm.n / (compute.gemm.n + formula.ramp);
    if (formula.narrow != 1.0 && compute.gemm.k < usual_width)
        compute.efficiency *= std::pow(formula.narrow, std::log2(usual_width / compute.gemm.k));
    work = compute;
}

void evaluate_collective(const CollectiveFormula& formula, const Numbers& numbers, graph::Work& work) {
    const bool of_replicas = !(formula.axes & graph::data_parallel_axes).empty();
    const bool of_experts = !of_replicas && formula.axes.contains(MeshAxis::expert);
    const double stated = of_replicas                                ? numbers.exposed_dp
                          : of_experts                               ? numbers.exposed_ep
                          : formula.axes.contains(MeshAxis::context) ? numbers.exposed_cp
                                                                     : numbers.exposed_tp;
    const double exposed = formula.blocks ? 1.0
                           : of_experts   ? stated + (1.0 - stated) * numbers.unpaired_ep
                                          : stated;
    graph::Collective collective{formula.kind, formula.axes, Bytes{evaluate(formula.size, numbers)}, exposed,
                                 formula.members};
    if (formula.choices) {
        collective.dispatch = {numbers.extents[formula.choices->index()], numbers.experts_in_turn,
                               formula.dispatch_rate};
    }
    if (formula.part != Exposure::whole) {
        const bool waits = formula.part == Exposure::exposed;
        collective.size = collective.size * (waits ? exposed : 1.0 - exposed);
        collective.exposed = waits ? 1.0 : 0.0;
    }
    collective.slows_kernels = formula.blocks || stated == 0.0 || stated == 1.0;
    work = collective;
}

double evaluate(const LaunchFormula& launches, const Numbers& numbers) {
    if (!launches.experts) return launches.kernels;
    return launches.kernels + launches.of_expert * std::max(1.0, numbers.extents[launches.experts->index()]);
}

bool is_narrow(Precision precision) {
    return precision == Precision::fp8 || precision == Precision::fp4 || precision == Precision::int8;
}

/// Bytes of an element and its part of a scale: one byte per block of 32 (MXFP8) or 16 (NVFP4) elements.
double cast_bytes(Precision precision, graph::CastRecipe recipe) {
    const double element = bytes_of(precision).value();
    if (recipe != graph::CastRecipe::block) return element;
    return element + (precision == Precision::fp4 ? 1.0 / 16 : 1.0 / 32);
}

}  // namespace

ExtentId Extents::intern(Extent extent) {
    const auto found = std::find(extents_.begin(), extents_.end(), extent);
    if (found != extents_.end()) return ExtentId(static_cast<std::size_t>(found - extents_.begin()));
    extents_.push_back(extent);
    return ExtentId(extents_.size() - 1);
}

ProductId Extents::times(ProductId rest, ExtentId last) {
    const Product product{rest, last};
    const auto after = products_.begin() + static_cast<std::ptrdiff_t>(rest.index()) + 1;
    const auto found = std::find(after, products_.end(), product);
    if (found != products_.end()) return ProductId(static_cast<std::size_t>(found - products_.begin()));
    products_.push_back(product);
    return ProductId(products_.size() - 1);
}

void evaluate_extents(const Extents& extents, std::span<const double> dims, const Dimensions& dimensions,
                      Numbers& numbers) {
    numbers.extents.resize(extents.all().size());
    numbers.means.resize(extents.all().size());
    std::size_t i = 0;
    for (const Extent& extent : extents.all()) {
        const double whole = dims[extent.dim.index()];
        const auto degree = static_cast<double>(numbers.mesh.degree(extent.split));
        const double local = whole / degree;
        const bool divides = local >= 1.0 && local == std::floor(local);
        const bool counts_tokens = dimensions.is_batch(extent.dim) || dimensions.text(extent.dim) == "s";
        const bool shares = numbers.shares_sequences && counts_tokens;
        if (!divides && !(local > 0.0 && (shares || dimensions.is_mean(extent.dim))))
            not_divisible(extent, whole, dimensions, numbers);
        numbers.means[i] = local;
        numbers.extents[i++] = numbers.loads.empty() ? local : local * numbers.loads[extent.dim.index()];
    }
    multiply(extents.products(), numbers.extents, numbers.products);
    multiply(extents.products(), numbers.means, numbers.mean_products);
}

double evaluate(const Amount& amount, const Numbers& numbers) {
    double total = 0.0;
    for (auto term = amount.terms.begin(); term != amount.terms.end();) {
        const AxisSet shared = term->shared;
        double sum = 0.0;
        for (; term != amount.terms.end() && term->shared == shared; ++term) {
            const double bytes = term->factor * numbers.products[term->elements.index()] *
                                 numbers.bytes[static_cast<std::size_t>(term->storage)];
            sum += term->touched ? bytes * numbers.touched[term->touched->index()] : bytes;
        }
        if (!shared.empty()) sum /= static_cast<double>(numbers.mesh.degree(shared));
        total += std::ceil(sum);
    }
    return total;
}

void evaluate(const WorkFormula& formula, const Numbers& numbers, graph::Work& work) {
    const auto bytes = [&](const Amount& amount) { return Bytes{evaluate(amount, numbers)}; };
    if (const auto* compute = std::get_if<ComputeFormula>(&formula)) {
        evaluate_compute(*compute, numbers, work);
    } else if (const auto* collective = std::get_if<CollectiveFormula>(&formula)) {
        evaluate_collective(*collective, numbers, work);
    } else if (const auto* transfer = std::get_if<TransferFormula>(&formula)) {
        work = graph::Transfer{bytes(transfer->size), numbers.exposed_pp};
    } else if (const auto* copy = std::get_if<CopyFormula>(&formula)) {
        work = graph::Copy{bytes(copy->size), copy->direction};
    } else if (const auto* update = std::get_if<HostUpdateFormula>(&formula)) {
        work = graph::HostUpdate{bytes(update->read), bytes(update->written)};
    } else {
        work = graph::Launch{evaluate(std::get<LaunchFormula>(formula), numbers)};
    }
}

void set_precisions(const graph::SoftwareStack& stack, Numbers& numbers) {
    const auto size = [](Precision precision) { return bytes_of(precision).value(); };
    // Eight-bit and four-bit recipes keep activations and parameters in bf16 and cast for the products.
    const bool narrow = is_narrow(stack.precision);
    const Precision kept = narrow ? Precision::bf16 : stack.precision;
    numbers.gemm_precision = stack.precision;
    numbers.activation_precision = kept;
    numbers.attention_precision = graph::attends_in_fp8(stack) ? Precision::fp8 : kept;
    const auto set = [&](Storage storage, double bytes) {
        numbers.bytes[static_cast<std::size_t>(storage)] = bytes;
    };
    const double used = size(kept);
    const double master = size(stack.master_precision);
    const double cast = narrow ? cast_bytes(stack.precision, stack.cast_recipe) : used;
    const bool fp8_primary = narrow && stack.primary_weights == graph::PrimaryWeights::fp8;
    const bool master_primary = stack.primary_weights == graph::PrimaryWeights::master;
    set(Storage::activation, used);
    set(Storage::parameter, used);
    set(Storage::weight, fp8_primary || stack.gather_casts ? cast : used);
    set(Storage::gradient, size(stack.gradient_precision));
    set(Storage::reduced, size(graph::reduced_in(stack)));
    set(Storage::full, 4);
    set(Storage::mask, 1);
    set(Storage::index, 8);
    set(Storage::cache, 0);
    set(Storage::state, 4);
    set(Storage::cast, cast);
    set(Storage::kept_parameter, master_primary ? master : used);
    set(Storage::kept_weight, master_primary ? master : fp8_primary ? cast : used);
    // The two passes read them in different orders; fp8 primary weights are one of the two copies.
    set(Storage::weight_casts, narrow && stack.keep_weight_casts ? cast * (fp8_primary ? 1 : 2) : 0);
    // Parameters that are kept with at least this precision are their own master copy.
    set(Storage::master, master_primary || master <= used ? 0 : master);
    set(Storage::moment, size(stack.optimizer_precision));
    set(Storage::frozen, fp8_primary ? cast : used);
    // Half a byte, a scale in eight bits for 64 numbers, and one in 32 bits for 256 scales.
    set(Storage::quantized, 0.5 + 1.0 / 64 + 4.0 / (64 * 256));
}

void set_precisions(const graph::SoftwareStack& stack, const graph::Serving& serving, Numbers& numbers) {
    set_precisions(stack, numbers);
    const auto set = [&](Storage storage, double bytes) {
        numbers.bytes[static_cast<std::size_t>(storage)] = bytes;
    };
    // Only matrix products read parameters with fewer bits than activations.
    const double stored = stored_bytes_of(stack.precision).value();
    set(Storage::weight, stack.weight_bits > 0.0 ? stack.weight_bits / 8.0 : stored);
    set(Storage::cache,
        bytes_of(storage_of(serving.kv_cache_precision, numbers.activation_precision)).value());
    set(Storage::state, bytes_of(storage_of(serving.state_precision)).value());
}

}  // namespace dse::frontend
