#include "eval/validation/step_scenario.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/row_names.hpp"
#include "eval/validation/stated.hpp"

namespace dse::eval {
namespace {

using graph::CastRecipe;
using graph::Precision;
using graph::Recompute;
using graph::ScheduleKind;

/// Larger than any job, and small enough that three such numbers can be multiplied.
constexpr double largest_count = 1 << 20;

std::int64_t whole(const std::optional<double>& value, std::int64_t otherwise) {
    if (value && *value > largest_count)
        throw ModelError(fmt::format("{} is not a number of devices or sequences", *value));
    return value && *value >= 1.0 ? static_cast<std::int64_t>(*value) : otherwise;
}

std::vector<std::string> list_of_names(const KnownNames& known) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const auto& [name, value] : known) names.push_back(name);
    return names;
}

/// Frameworks pad the vocabulary to a multiple of tp, unless the source says otherwise.
double vocabulary_of(const TruthRow& row, const TruthSource& source) {
    const double tp = row.tp.value_or(1);
    if (source.vocabulary > 0) return std::floor(static_cast<double>(source.vocabulary) / tp) * tp;
    return std::ceil(stated(row.vocab, "vocabulary", "vocab") / tp) * tp;
}

void set_precision(const TruthRow& row, graph::SoftwareStack& stack) {
    const std::optional<Precision> precision = precision_named(row.precision);
    if (!precision)
        throw ModelError(
            fmt::format("precision '{}' is not known (bf16, fp16, fp32, tf32, fp8, mxfp8, nvfp4)",
                        config::excerpt(row.precision)));
    stack.precision = *precision;
    const std::string text = lower_case(row.precision.substr(0, row.precision.find('(')));
    if (contains(text, "mx") || contains(text, "nvfp4")) stack.cast_recipe = CastRecipe::block;
    if (contains(text, "rowwise")) stack.cast_recipe = CastRecipe::row;
}

void set_zero(const TruthRow& row, study::Scenario& scenario) {
    graph::SoftwareStack& stack = scenario.workload.stack;
    const std::optional<StateSharding> sharding = sharding_named(row.zero);
    if (!sharding)
        throw ModelError(
            fmt::format("ZeRO stage '{}' is not known (0, 1, 2, 3, fsdp, fsdp2, hsdp or dist-opt; "
                        "'1 in a node' shards over the replicas of a node)",
                        config::excerpt(row.zero)));
    if (*sharding == StateSharding::of_stack) return;
    if (*sharding == StateSharding::hybrid || shards_in_node(row.zero)) {
        // PyTorch's hybrid sharding, InternEvo's zero1: states are sharded over the replicas of a node and
        // replicated over nodes.
        const std::int64_t in_node =
            std::min(scenario.system.cluster.devices_per_node, scenario.system.devices);
        scenario.workload.layout.dp_shard = std::max<std::int64_t>(1, in_node / whole(row.tp, 1));
    }
    stack.zero = std::min<std::int64_t>(static_cast<std::int64_t>(*sharding), 3);
}

/// The number in "full, 20 layers", with checkpoints around that many of the layers; 0 where there is none.
/// \throws ModelError for any other text that begins like it
std::int64_t checkpointed_layers(const std::string& text) {
    const std::string_view full = "full, ";
    if (!text.starts_with(full)) return 0;
    const char* const last = text.data() + text.size();
    std::int64_t layers = 0;
    const auto [end, status] = std::from_chars(text.data() + full.size(), last, layers);
    if (status != std::errc{} || layers < 1 || std::string_view(end, last) != " layers")
        throw ModelError(fmt::format("recomputation policy '{}' is not known (as in 'full, 20 layers')",
                                     config::excerpt(text)));
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
        throw ModelError(fmt::format(
            "which tensors recomputation policy '{}' keeps is not known (none, selective, "
            "full, as in 'full, 20 layers'{}{})",
            config::excerpt(stated_policy), source.recompute_tensors.empty() ? "" : "; of this source: ",
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
/// replicated over slices. MaxText's notes state them for each row: "4 slice(s) of 64 chips", or "4 slice(s)"
/// of equal size.
/// \throws ModelError unless the row's devices are these slices, of whole replicas each
void set_slices(const std::string& notes, study::Scenario& scenario) {
    int slices = 1;
    int chips = 0;
    const std::size_t mark = notes.find(" slice(s)");
    if (mark == std::string::npos) return;
    const std::size_t begin = notes.find_last_of(' ', mark - 1) + 1;
    const int read = std::sscanf(notes.c_str() + begin, "%d slice(s) of %d chips", &slices, &chips);
    if (read < 1 || slices < 2) return;
    const std::int64_t devices = scenario.system.devices;
    if (read < 2) chips = static_cast<int>(devices / slices);
    graph::ParallelLayout& layout = scenario.workload.layout;
    const std::int64_t replica = layout.tp * layout.cp * layout.pp;
    if (chips < 1 || std::int64_t{chips} * slices != devices || chips % replica != 0) {
        throw ModelError(fmt::format("its notes say {} slices, which {} devices in replicas of {} are not",
                                     slices, devices, replica));
    }
    layout.dp_shard = chips / replica;
    scenario.system.cluster.network.scale_up.domain = chips;
}

ScheduleKind schedule_of(const graph::ParallelLayout& layout, const TruthSource& source) {
    if (layout.virtual_stages > 1) return ScheduleKind::interleaved;
    const auto names = graph::choice_names(ScheduleKind{});
    const auto stated = std::ranges::find(names, source.schedule);
    return stated == names.end() ? ScheduleKind::one_f_one_b
                                 : static_cast<ScheduleKind>(stated - names.begin());
}

/// Degrees, schedule and microbatch; also what the stages hold and the sequences of a step.
void set_layout(const TruthRow& row, const TruthSource& source, study::Scenario& scenario) {
    graph::WorkloadSpec& workload = scenario.workload;
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
    layout.rank_order = row.rank_order;
    workload.routing.capacity_factor = row.capacity_factor;
    workload.routing.imbalance = row.imbalance;
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
}

}  // namespace

frontend::ModelFile described_model(const TruthRow& row, const TruthSource& source) {
    frontend::ModelFile model;
    model.name = row.id;
    const auto unknown = [&](const char* before, const char* behind) {
        return ModelError(fmt::format("{}no model is described for '{}' under source '{}'{}{}", before,
                                      config::excerpt(row.model), source.match,
                                      suggestion(row.model, list_of_names(source.models)), behind));
    };
    if (!row.experts.empty()) throw unknown("mixture of experts: ", "");
    if (!row.layers && !row.hidden && !row.heads)
        throw unknown("", ", and the row states no sizes (columns layers, hidden, heads, …)");
    const bool gated = row.mlp_matrices.value_or(2) == 3;
    model.template_name = gated ? source.gated_template : source.plain_template;
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

study::Scenario step_scenario(const TruthRow& row, const TruthSource& source,
                              const config::Library& library) {
    const auto cluster = source.clusters.find(row.chip);
    if (row.chip.empty()) throw ModelError("chip not stated");
    if (cluster == source.clusters.end())
        throw ModelError(fmt::format("no machine is described for '{}' under source '{}'{}",
                                     config::excerpt(row.chip), source.match,
                                     suggestion(row.chip, list_of_names(source.clusters))));
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
    if (row.loss_tiles > 0) workload.stack.loss_tiles = row.loss_tiles;
    if (row.bf16_last_layers > 0) workload.stack.bf16_last_layers = row.bf16_last_layers;
    set_zero(row, scenario);
    if (lower_case(row.recompute) == "per recipe") {
        set_recipe(row, source, workload);
    } else {
        set_recompute(row.recompute, source, workload);
    }

    set_layout(row, source, scenario);
    set_slices(row.notes, scenario);
    return scenario;
}

}  // namespace dse::eval
