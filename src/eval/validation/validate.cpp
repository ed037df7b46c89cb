#include "dse/eval/validation/validate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/eval/error_bars.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/model/compute/rates.hpp"
#include "eval/validation/metric_unit.hpp"
#include "eval/validation/row_names.hpp"

namespace dse::eval {
namespace {

using graph::CastRecipe;
using graph::Precision;
using graph::Recompute;
using graph::ScheduleKind;

/// Thrown for rows that are not predicted; what() is the reason.
class NotCovered : public ModelError {
  public:
    using ModelError::ModelError;
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// A required size of a model or a batch, within plausible limits.
/// \param column  that states it
double stated(const std::optional<double>& value, const char* what, const char* column) {
    if (!value || !(*value >= 1.0)) throw NotCovered(fmt::format("{} not stated (column {})", what, column));
    if (*value > 1e12) throw NotCovered(fmt::format("{}: {} is too large", what, *value));
    return *value;
}

/// Larger than any job, and small enough that three such numbers can be multiplied.
constexpr double largest_count = 1 << 20;

std::int64_t whole(const std::optional<double>& value, std::int64_t otherwise) {
    if (value && *value > largest_count)
        throw NotCovered(fmt::format("{} is not a number of devices or sequences", *value));
    return value && *value >= 1.0 ? static_cast<std::int64_t>(*value) : otherwise;
}

void require_covered(const TruthRow& row) {
    for (const char* metric :
         {"layer_", "prefill", "decode", "inference", "ttft", "itl", "output_throughput"}) {
        if (contains(row.metric, metric) && !row.is_prefill())
            throw NotCovered(fmt::format("{}: not a training step", row.metric));
    }
    for (const char* metric : {"activation_per_layer", "activation_vs_no_optimization", "model_states"}) {
        if (contains(row.metric, metric))
            throw NotCovered(fmt::format("{}: a closed form, not a training step", row.metric));
    }
    if (!row.misstated.empty()) throw NotCovered(row.misstated);
    if (row.metric == "time_to_train") throw NotCovered("time to train: needs the samples to convergence");
}

std::vector<std::string> list_of_names(const KnownNames& known) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto& [name, value] : known) names.push_back(name);
    return names;
}

/// Template of a model that the table describes by its sizes.
std::string template_of(const TruthRow& row, const TruthSource& source) {
    return row.mlp_matrices.value_or(2) == 3 ? source.gated_template : "gpt";
}

/// Frameworks pad the vocabulary to a multiple of tp, unless the source says otherwise.
double vocabulary_of(const TruthRow& row, const TruthSource& source) {
    const double tp = row.tp.value_or(1);
    if (source.vocabulary > 0) return std::floor(static_cast<double>(source.vocabulary) / tp) * tp;
    return std::ceil(stated(row.vocab, "vocabulary", "vocab") / tp) * tp;
}

frontend::ModelFile model_of(const TruthRow& row, const TruthSource& source) {
    frontend::ModelFile model;
    model.name = row.id;
    const auto unknown = [&](const char* before, const char* behind) {
        return NotCovered(fmt::format("{}no model is described for '{}' under source '{}'{}{}", before,
                                      row.model, source.match,
                                      suggestion(row.model, list_of_names(source.models)), behind));
    };
    if (!row.experts.empty()) throw unknown("mixture of experts: ", "");
    if (!row.layers && !row.hidden && !row.heads)
        throw unknown("", ", and the row states no sizes (columns layers, hidden, heads, …)");
    const bool gated = row.mlp_matrices.value_or(2) == 3;
    model.template_name = template_of(row, source);
    const double heads = stated(row.heads, "heads", "heads");
    const double kv_heads = row.kv_heads.value_or(heads);
    if (!gated && kv_heads != heads) {
        throw unknown(
            fmt::format("{} heads share {} of keys and values without a gated MLP: ", heads, kv_heads)
                .c_str(),
            "");
    }
    const double hidden = stated(row.hidden, "hidden size", "hidden");
    const auto add = [&](const char* name, double value) { model.symbols.push_back({name, value, {}}); };
    add("layers", stated(row.layers, "layers", "layers"));
    add("h", hidden);
    add("n", heads);
    add("d", row.head_dim.value_or(hidden / heads));
    add("f", stated(row.ffn, "width of the MLP", "ffn"));
    add("vocab", vocabulary_of(row, source));
    if (gated) add("k", kv_heads);
    model.blocks = {{"embedding", "1", {}}, {"decoder_layer", "layers", {}}, {"head", "1", {}}};
    return model;
}

void set_precision(const TruthRow& row, graph::SoftwareStack& stack) {
    const std::optional<Precision> precision = precision_named(row.precision);
    if (!precision)
        throw NotCovered(fmt::format(
            "precision '{}' is not known (bf16, fp16, fp32, tf32, fp8, mxfp8, nvfp4)", row.precision));
    stack.precision = *precision;
    const std::string text = lower_case(row.precision.substr(0, row.precision.find('(')));
    if (contains(text, "mx") || contains(text, "nvfp4")) stack.cast_recipe = CastRecipe::block;
    if (contains(text, "rowwise")) stack.cast_recipe = CastRecipe::row;
}

void set_zero(const TruthRow& row, study::Scenario& scenario) {
    graph::SoftwareStack& stack = scenario.workload.stack;
    const std::optional<StateSharding> sharding = sharding_named(row.zero);
    if (!sharding)
        throw NotCovered(fmt::format(
            "ZeRO stage '{}' is not known (0, 1, 2, 3, fsdp, fsdp2, hsdp or dist-opt)", row.zero));
    if (*sharding == StateSharding::of_stack) return;
    if (*sharding == StateSharding::hybrid) {
        // PyTorch's hybrid sharding: states are sharded over the replicas of a node and replicated over
        // nodes.
        const std::int64_t in_node =
            std::min(scenario.system.cluster.devices_per_node, scenario.system.devices);
        scenario.workload.layout.dp_shard = std::max<std::int64_t>(1, in_node / whole(row.tp, 1));
    }
    stack.zero = std::min<std::int64_t>(static_cast<std::int64_t>(*sharding), 3);
}

/// The number in "full, 20 layers", with checkpoints around that many of the layers; 0 where there is none.
/// \throws NotCovered for any other text that begins like it
std::int64_t checkpointed_layers(const std::string& text) {
    const std::string_view full = "full, ";
    if (!text.starts_with(full)) return 0;
    const char* const last = text.data() + text.size();
    std::int64_t layers = 0;
    const auto [end, status] = std::from_chars(text.data() + full.size(), last, layers);
    if (status != std::errc{} || layers < 1 || std::string_view(end, last) != " layers")
        throw NotCovered(
            fmt::format("recomputation policy '{}' is not known (as in 'full, 20 layers')", text));
    return layers;
}

/// What tables write where nothing is recomputed.
bool is_none(const std::string& text) {
    const std::array names{"none", "no", "off", "false", "-", "n/a"};
    return std::ranges::find(names, text) != names.end();
}

void set_recompute(const std::string& stated_policy, const TruthSource& source,
                   graph::WorkloadSpec& workload) {
    const std::string text = lower_case(stated_policy);
    bool known = text.empty();
    const auto choose = [&](std::string_view policy, Recompute recompute, const std::string& tensors) {
        if (!text.starts_with(policy)) return;
        known = true;
        workload.stack.recompute = recompute;
        workload.recompute_tensors = tensors;
    };
    choose("full", Recompute::full, "");
    choose("selective", Recompute::selective, "");
    choose("none", Recompute::none, "");
    if (is_none(text)) choose(text, Recompute::none, "");
    for (const auto& [policy, tensors] : source.recompute_tensors)
        choose(lower_case(policy), Recompute::selective, tensors);
    if (const std::int64_t layers = checkpointed_layers(text); layers > 0)
        workload.stack.recompute_layers = layers;
    if (!known)
        throw NotCovered(
            fmt::format("which tensors recomputation policy '{}' keeps is not known (none, selective, "
                        "full, as in 'full, 20 layers'{}{})",
                        stated_policy, source.recompute_tensors.empty() ? "" : "; of this source: ",
                        fmt::join(list_of_names(source.recompute_tensors), ", ")));
}

/// Sets the recomputation of a model's recipe, or that of the source if the model has none.
void set_recipe(const TruthRow& row, const TruthSource& source, graph::WorkloadSpec& workload) {
    set_recompute(source.recompute, source, workload);
    for (const auto& [model, tensors] : source.recipes) {
        if (!contains(row.model, model)) continue;
        workload.stack.recompute = Recompute::selective;
        workload.recompute_tensors = tensors;
    }
}

/// Slices of a TPU torus are connected by the data-centre network: states are sharded within a slice and
/// replicated over slices. MaxText's notes state them for each row: "4 slice(s) of 64 chips".
void set_slices(const std::string& notes, study::Scenario& scenario) {
    int slices = 1;
    int chips = 0;
    const std::size_t mark = notes.find(" slice(s) of ");
    if (mark == std::string::npos) return;
    const std::size_t begin = notes.find_last_of(' ', mark - 1) + 1;
    if (std::sscanf(notes.c_str() + begin, "%d slice(s) of %d chips", &slices, &chips) != 2) return;
    if (slices < 2) return;
    graph::ParallelLayout& layout = scenario.workload.layout;
    layout.dp_shard = chips / (layout.tp * layout.cp * layout.pp);
    scenario.system.cluster.network.scale_up.domain = chips;
}

ScheduleKind schedule_of(const graph::ParallelLayout& layout, const TruthSource& source) {
    if (layout.virtual_stages > 1) return ScheduleKind::interleaved;
    return source.schedule == "gpipe" ? ScheduleKind::gpipe : ScheduleKind::one_f_one_b;
}

study::Scenario scenario_of(const TruthRow& row, const TruthSource& source, const config::Library& library) {
    const auto cluster = source.clusters.find(row.chip);
    if (row.chip.empty()) throw NotCovered("chip not stated");
    if (cluster == source.clusters.end())
        throw NotCovered(fmt::format("no machine is described for '{}' under source '{}'{}", row.chip,
                                     source.match, suggestion(row.chip, list_of_names(source.clusters))));
    study::Scenario scenario;
    scenario.system.cluster = config::read_from_library<hardware::ClusterSpec>(library, "hardware/clusters",
                                                                               cluster->second, row.chip);
    scenario.system.devices = whole(row.gpus, 1);

    graph::WorkloadSpec& workload = scenario.workload;
    if (row.is_prefill()) workload.mode = graph::Mode::prefill;
    const auto model = source.models.find(row.model);
    workload.model = model == source.models.end() ? row.id : model->second;
    workload.adapter = adapter_of(source, row);
    workload.sequence = static_cast<std::int64_t>(stated(row.sequence, "sequence", "seq"));
    const bool in_stages = whole(row.pp, 1) > 1 && !source.pipeline_stack.empty();
    workload.preset = config::read_from_library<graph::NamedStack>(
        library, "workloads/stacks", in_stages ? source.pipeline_stack : stack_of(source, row), row.source);
    workload.stack = workload.preset.values;
    set_precision(row, workload.stack);
    set_zero(row, scenario);
    if (lower_case(row.recompute) == "per recipe") {
        set_recipe(row, source, workload);
    } else {
        set_recompute(row.recompute, source, workload);
    }

    graph::ParallelLayout& layout = workload.layout;
    layout.tp = whole(row.tp, 1);
    layout.cp = whole(row.cp, 1);
    layout.ep = whole(row.ep, 1);
    layout.etp = source.etp;
    layout.pp = whole(row.pp, 1);
    layout.virtual_stages = layout.pp > 1 ? whole(row.virtual_stages, source.virtual_stages) : 1;
    layout.embedding_layers = layout.head_layers =
        layout.pp > 1 ? whole(row.end_layers, source.end_layers) : 0;
    if (layout.pp > 1 && !row.stage_layers.empty()) workload.stage_layers = row.stage_layers;
    layout.schedule = schedule_of(layout, source);
    layout.sequence_parallel = row.sequence_parallel ? *row.sequence_parallel != 0 : source.sequence_parallel;
    const std::int64_t dp =
        std::max<std::int64_t>(1, scenario.system.devices / (layout.tp * layout.cp * layout.pp));
    workload.global_batch = static_cast<std::int64_t>(stated(row.global_batch, "global batch", "gbs"));
    // By default, all of a rank's sequences run at once; with a pipeline, one at a time.
    const std::int64_t all_at_once = std::max<std::int64_t>(1, workload.global_batch / dp);
    layout.microbatch = whole(row.microbatch, layout.pp > 1 ? 1 : all_at_once);
    if (source.one_microbatch) layout.microbatch = all_at_once;
    if (source.microbatch_a_stage && layout.pp > 1)
        layout.microbatch = std::max<std::int64_t>(1, all_at_once / layout.pp);
    set_slices(row.notes, scenario);
    return scenario;
}

/// The metric of a memory row: the peak of a device, its model states, or its activations.
double (*memory_metric(const std::string& metric))(const metrics::Metrics&) {
    using metrics::Metrics;
    if (metric == "peak_memory" || metric == "peak_memory_upper_bound")
        return [](const Metrics& m) { return m.memory_peak; };
    if (metric == "params+grads+optimizer_per_gpu")
        return [](const Metrics& m) { return m.memory_parameters + m.memory_gradients + m.memory_optimizer; };
    if (metric == "activation_per_gpu") return [](const Metrics& m) { return m.memory_activations; };
    return nullptr;
}

double bytes_of_unit(const std::string& unit) {
    if (unit.starts_with("GiB")) return 1073741824.0;
    if (unit.starts_with("MiB")) return 1048576.0;
    if (unit.starts_with("GB")) return 1e9;
    if (unit.starts_with("MB")) return 1e6;
    throw NotCovered(fmt::format("a memory in the unit '{}' (GiB, GB, MiB or MB; column unit)", unit));
}

double measured_value(const TruthRow& row) {
    if (!row.value || !(*row.value > 0.0)) throw NotCovered("value not stated");
    return *row.value;
}

/// Tokens or samples that an iteration processes, of which a row states a rate; 0 if it states another
/// metric.
double items_of(const TruthRow& row, const std::string& metric) {
    const auto states = [&](std::string_view items) {
        return contains(metric, items) &&
               (contains(metric, "_per_s") || contains(metric, "/s") || contains(metric, "throughput"));
    };
    if (states("tokens"))
        return stated(row.global_batch, "global batch", "gbs") * stated(row.sequence, "sequence", "seq");
    if (states("samples") || states("sequences")) return stated(row.global_batch, "global batch", "gbs");
    return 0.0;
}

/// Whether a rate is that of each device.
bool is_of_each(const TruthRow& row, const std::string& metric) {
    const std::string unit = lower_case(row.unit);
    const std::array devices{"gpu", "device", "chip"};
    return std::ranges::any_of(
        devices, [&](const char* device) { return contains(metric, device) || contains(unit, device); });
}

/// Measured seconds per iteration; the table's own derivation if it has one.
double measured_time(const TruthRow& row, const TruthSource& source, const Evaluation& evaluation,
                     double peak) {
    if (row.iteration_time && *row.iteration_time > 0.0) return *row.iteration_time;
    const double value = measured_value(row);
    const std::string metric = lower_case(row.metric);
    if (contains(metric, "mfu")) {
        // A share of 1 or less; in percent, no step that trains has so few.
        const bool is_share = !is_percent(row.unit) && (value <= 1.0 || !row.unit.empty());
        const double share = is_share ? value : value / 100.0;
        if (share > 1.0) throw NotCovered(fmt::format("mfu: {} % is more than the peak", 100.0 * share));
        return evaluation.metrics.model_flop / (share * peak);
    }
    if (contains(metric, "tflop")) {
        const metrics::Metrics& metrics = evaluation.metrics;
        const double rate = value * 1e12 * row.gpus.value_or(1);
        if (rate > peak) throw NotCovered(fmt::format("{}: {} is more than the peak", row.metric, value));
        const double flop = source.counts_recomputation ? metrics.executed_flop : metrics.model_flop;
        return flop / rate;
    }
    if (const double items = items_of(row, metric); items > 0.0)
        return items / (value * (is_of_each(row, metric) ? row.gpus.value_or(1) : 1.0));
    if (contains(metric, "iteration_time") || contains(metric, "step_time") || row.is_prefill()) {
        if (const std::optional<double> seconds = seconds_of(value, row.unit)) return *seconds;
        throw NotCovered(fmt::format("{} in the unit '{}' (s or ms; column unit)", row.metric, row.unit));
    }
    throw NotCovered(
        fmt::format("no time follows from {} (metrics: iteration_time, step_time, tokens_per_s, "
                    "tokens_per_s_per_gpu, samples_per_s, mfu, model_tflops_per_gpu, peak_memory)",
                    row.metric));
}

/// Adds error bars to a prediction, and records what they depend on.
metrics::Metrics with_bars(const study::Scenario& scenario, const metrics::Metrics& metrics,
                           Comparison& comparison, ErrorBars& bars) {
    metrics::Metrics answer = metrics;
    bars.add(scenario, comparison.model_template, answer);
    comparison.device = scenario.system.cluster.device.name;
    comparison.stack = scenario.workload.preset.name;
    comparison.probability_fits = answer.probability_fits;
    return answer;
}

/// Sets the prediction of the row's quantity; the memory peak if the row only states whether a run fitted.
void set_predicted(const metrics::Metrics& metrics, Comparison& comparison) {
    const auto value = memory_metric(comparison.is_cell() ? "peak_memory" : comparison.row.metric);
    comparison.predicted = comparison.is_cell() ? comparison.memory_peak
                           : value != nullptr   ? value(metrics)
                                                : metrics.iteration_time;
    if (value == nullptr) {
        comparison.low = metrics.iteration_time_low;
        comparison.high = metrics.iteration_time_high;
    } else if (comparison.predicted == metrics.memory_peak) {
        comparison.low = metrics.memory_peak_low;
        comparison.high = metrics.memory_peak_high;
    }
}

Comparison compare(const TruthRow& row, const std::vector<TruthSource>& sources,
                   const config::Library& library, const study::FidelitySpec& fidelity, ErrorBars& bars) {
    Comparison comparison;
    comparison.row = row;
    try {
        require_covered(row);
        const TruthSource* source = find_source(sources, row);
        if (source == nullptr)
            throw NotCovered(
                fmt::format("nothing is known of the software of source '{}' (describe it in a file for "
                            "--sources, like workloads/measured/sources.yaml)",
                            row.source));
        comparison.row = with_known_names(row, *source);
        if (const std::string* why = exclusion_of(*source, comparison.row)) throw NotCovered(*why);
        if (const std::string* why = set_aside_of(*source, comparison.row)) comparison.set_aside = *why;
        // Of a misprinted row, too, repeats in other releases are the same configuration.
        comparison.row = corrected(comparison.row, *source);
        const TruthRow& facts = comparison.row;
        if (!facts.gpus && !comparison.is_memory())
            throw NotCovered("number of devices not stated (column gpus)");
        study::Scenario scenario = scenario_of(facts, *source, library);
        scenario.fidelity = fidelity;
        auto frontend = std::make_unique<frontend::TemplateFrontend>(library);
        const bool is_described = scenario.workload.model == row.id;
        if (is_described) frontend->define(model_of(row, *source));
        comparison.model_template =
            is_described ? template_of(row, *source) : ErrorBars::template_of(library, scenario.workload);
        Simulator simulator(std::move(frontend));
        const Evaluation& evaluation = simulator.run(scenario, {}, WhenFull::simulate, sim::Asked::For::time);
        const FlopPerSecond rate =
            model::rate_of(scenario.system.cluster.device.peak, scenario.workload.stack.precision);
        comparison.peak_flop = rate.value() * static_cast<double>(scenario.system.devices);
        comparison.model_flop = evaluation.metrics.model_flop;
        comparison.memory_peak = evaluation.metrics.memory_peak;
        if (ends_with_gradients(*source, facts))
            comparison.memory_peak -= evaluation.metrics.memory_optimizer;
        comparison.memory_capacity = scenario.system.cluster.device.memory.capacity.value();
        set_predicted(with_bars(scenario, evaluation.metrics, comparison, bars), comparison);
        if (comparison.is_memory()) {
            comparison.measured = measured_value(row) * bytes_of_unit(row.unit);
        } else if (!comparison.is_cell()) {
            comparison.measured = measured_time(row, *source, evaluation, comparison.peak_flop);
        }
    } catch (const ModelError& error) {
        comparison.why = error.what();
    }
    return comparison;
}

}  // namespace

bool Comparison::is_memory() const {
    return memory_metric(row.metric) != nullptr;
}

bool Comparison::is_cell() const {
    return row.metric == "ran" || row.metric == "out_of_memory";
}

std::vector<Comparison> validate(const std::vector<TruthRow>& rows, const std::vector<TruthSource>& sources,
                                 const config::Library& library, const study::FidelitySpec& fidelity) {
    std::vector<Comparison> comparisons;
    comparisons.reserve(rows.size());
    ErrorBars bars{library};
    for (const TruthRow& row : rows) comparisons.push_back(compare(row, sources, library, fidelity, bars));
    return comparisons;
}

}  // namespace dse::eval
