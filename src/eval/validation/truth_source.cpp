#include "dse/eval/validation/truth_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/reader.hpp"
#include "dse/config/require_kind.hpp"

namespace dse::eval {
namespace {

using config::Diagnostics;
using config::Node;
using config::require_kind;

/// Pairs of names, in the order of the file.
std::vector<std::pair<std::string, std::string>> read_texts(const Node* node, Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, std::string>> texts;
    if (node == nullptr || !require_kind(*node, Node::Kind::map, "a map", diagnostics)) return texts;
    for (const Node::Entry& entry : node->entries()) {
        if (require_kind(entry.value, Node::Kind::scalar, "a name", diagnostics))
            texts.emplace_back(entry.key, entry.value.text());
    }
    return texts;
}

TruthSource::Correction read_correction(const Node::Entry& entry, Diagnostics& diagnostics) {
    TruthSource::Correction correction;
    correction.match = entry.key;
    config::Reader reader(entry.value, nullptr, diagnostics);
    const auto degree = [&](const char* name, std::optional<double>& value) {
        std::int64_t stated = 0;
        reader.optional(name, stated, config::between(1, 1 << 20), "");
        if (stated > 0) value = static_cast<double>(stated);
    };
    degree("tp", correction.tp);
    degree("pp", correction.pp);
    degree("virtual_stages", correction.virtual_stages);
    degree("ep", correction.ep);
    degree("microbatch", correction.microbatch);
    degree("end_layers", correction.end_layers);
    reader.optional("recompute", correction.recompute, "");
    reader.optional("stage_layers", correction.stage_layers, "");
    reader.optional("rank_order", correction.rank_order, "");
    reader.optional("capacity_factor", correction.capacity_factor, config::between(0, 1e6), "");
    reader.optional("imbalance", correction.imbalance, "");
    reader.optional("loss_tiles", correction.loss_tiles, config::between(1, 4096), "");
    reader.optional("bf16_last_layers", correction.bf16_last_layers, config::between(1, 1e6), "");
    reader.finish();
    return correction;
}

std::vector<TruthSource::Correction> read_corrections(const Node* node, Diagnostics& diagnostics) {
    std::vector<TruthSource::Correction> corrections;
    if (node == nullptr || !require_kind(*node, Node::Kind::map, "a map", diagnostics)) return corrections;
    for (const Node::Entry& entry : node->entries()) {
        if (require_kind(entry.value, Node::Kind::map, "a map of degrees", diagnostics))
            corrections.push_back(read_correction(entry, diagnostics));
    }
    return corrections;
}

std::vector<TruthSource::AdapterRule> read_adapters(const Node* node, Diagnostics& diagnostics) {
    std::vector<TruthSource::AdapterRule> rules;
    if (node == nullptr || !require_kind(*node, Node::Kind::map, "a map of adapters", diagnostics))
        return rules;
    for (const Node::Entry& entry : node->entries()) {
        if (!require_kind(entry.value, Node::Kind::map, "an adapter, as in a sweep", diagnostics)) continue;
        TruthSource::AdapterRule rule{entry.key, {}};
        config::Reader reader(entry.value, nullptr, diagnostics);
        describe(reader, rule.adapter);
        reader.finish();
        rules.push_back(std::move(rule));
    }
    return rules;
}

TruthSource read_source(const Node& node, Diagnostics& diagnostics) {
    TruthSource source;
    config::Reader reader(node, nullptr, diagnostics);
    std::string ignored;
    reader.required("match", source.match, "");
    reader.required("stack", source.stack, "");
    reader.optional("recompute", source.recompute, "");
    reader.optional("pipeline_stack", source.pipeline_stack, "");
    reader.optional("microbatch_a_stage", source.microbatch_a_stage, "");
    reader.optional("schedule", source.schedule, "");
    const std::vector<std::string> schedules{"gpipe", "1f1b", "zb_h1", "zb_v"};
    if (!source.schedule.empty() && std::ranges::find(schedules, source.schedule) == schedules.end())
        diagnostics.error(
            node.find("schedule")->location(), node.find("schedule")->path(),
            fmt::format("unknown schedule '{}'{}", source.schedule, suggestion(source.schedule, schedules)));
    reader.optional("virtual_stages", source.virtual_stages, "");
    reader.optional("end_layers", source.end_layers, "");
    reader.optional("template", source.gated_template, "");
    reader.optional("plain_template", source.plain_template, "");
    reader.optional("one_microbatch", source.one_microbatch, "");
    reader.optional("sequence_parallel", source.sequence_parallel, "");
    reader.optional("counts_recomputation", source.counts_recomputation, "");
    reader.optional("ends_with_gradients", source.ends_with_gradients, "");
    reader.optional("etp", source.etp, "");
    reader.optional("vocabulary", source.vocabulary, "");
    reader.optional("note", ignored, "");
    for (auto& cluster : read_texts(reader.take("clusters"), diagnostics))
        source.clusters.insert(std::move(cluster));
    for (auto& model : read_texts(reader.take("models"), diagnostics)) source.models.insert(std::move(model));
    for (auto& tensors : read_texts(reader.take("recompute_tensors"), diagnostics))
        source.recompute_tensors.insert(std::move(tensors));
    for (auto& recipe : read_texts(reader.take("recipes"), diagnostics))
        source.recipes.insert(std::move(recipe));
    source.corrections = read_corrections(reader.take("corrections"), diagnostics);
    source.adapters = read_adapters(reader.take("adapters"), diagnostics);
    source.excluded = read_texts(reader.take("excluded"), diagnostics);
    source.set_aside = read_texts(reader.take("set_aside"), diagnostics);
    for (const auto* reasons : {&source.excluded, &source.set_aside}) {
        if (std::ranges::any_of(*reasons, [](const auto& reason) { return reason.second.empty(); }))
            diagnostics.error(node.location(), node.path(),
                              "a reason for which rows are excluded or set aside must not be empty");
    }
    for (auto& [match, stack] : read_texts(reader.take("stacks"), diagnostics))
        source.stacks.push_back({std::move(match), std::move(stack)});
    reader.finish();
    return source;
}

/// Whether all texts of a rule occur in the row.
bool matches(std::string_view rule, const TruthRow& row) {
    while (!rule.empty()) {
        const std::size_t end = rule.find(" + ");
        const std::string_view word = rule.substr(0, end);
        const auto has = [&](const std::string& text) { return text.find(word) != std::string::npos; };
        if (!has(row.source) && !has(row.model) && !has(row.chip) && !has(row.zero) && !has(row.precision) &&
            !has(row.notes))
            return false;
        rule = end == std::string_view::npos ? std::string_view{} : rule.substr(end + 3);
    }
    return true;
}

/// The reason whose text the row's model, precision or notes contain, or nullptr.
const std::string* reason_for(const std::vector<std::pair<std::string, std::string>>& reasons,
                              const TruthRow& row) {
    for (const auto& [match, reason] : reasons) {
        for (const std::string* text : {&row.model, &row.precision, &row.notes}) {
            if (text->find(match) != std::string::npos) return &reason;
        }
    }
    return nullptr;
}

}  // namespace

std::vector<TruthSource> read_truth_sources(const Node& node, Diagnostics& diagnostics) {
    std::vector<TruthSource> sources;
    config::Reader reader(node, nullptr, diagnostics);
    if (const Node* list = reader.take("sources")) {
        if (require_kind(*list, Node::Kind::sequence, "a list of sources", diagnostics)) {
            for (const Node& item : list->items()) sources.push_back(read_source(item, diagnostics));
        }
    } else {
        diagnostics.error(node.location(), "sources", "missing");
    }
    reader.finish();
    return sources;
}

void require_files(const Node& node, const config::Library& library, Diagnostics& diagnostics) {
    const Node* const sources = node.find("sources");
    if (sources == nullptr) return;
    const auto require = [&](const Node* name, const char* folder) {
        if (name != nullptr && name->is_scalar() && !library.find(folder, name->text()))
            diagnostics.error(name->location(), name->path(),
                              fmt::format("no file {} in {}{}", name->describe(), folder,
                                          suggestion(name->text(), library.names(folder))));
    };
    for (const Node& source : sources->items()) {
        for (const char* key : {"stack", "pipeline_stack"}) require(source.find(key), "workloads/stacks");
        for (const char* key : {"template", "plain_template"})
            require(source.find(key), "workloads/templates");
        for (const auto& [key, folder] : {std::pair{"stacks", "workloads/stacks"},
                                          {"clusters", "hardware/clusters"},
                                          {"models", "workloads/models"}}) {
            const Node* const names = source.find(key);
            if (names == nullptr || !names->is_map()) continue;
            for (const Node::Entry& entry : names->entries()) require(&entry.value, folder);
        }
    }
}

const TruthSource* find_source(const std::vector<TruthSource>& sources, const TruthRow& row) {
    for (const TruthSource& source : sources) {
        if (row.source.find(source.match) != std::string::npos) return &source;
    }
    return nullptr;
}

const std::string& stack_of(const TruthSource& source, const TruthRow& row) {
    const std::string* stack = &source.stack;
    for (const TruthSource::Rule& rule : source.stacks) {
        if (matches(rule.match, row)) stack = &rule.stack;
    }
    return *stack;
}

graph::Adapter adapter_of(const TruthSource& source, const TruthRow& row) {
    graph::Adapter adapter;
    for (const TruthSource::AdapterRule& rule : source.adapters) {
        if (matches(rule.match, row)) adapter = rule.adapter;
    }
    return adapter;
}

TruthRow corrected(TruthRow row, const TruthSource& source) {
    const auto set = [](std::optional<double>& value, const std::optional<double>& right) {
        if (right) value = right;
    };
    for (const TruthSource::Correction& correction : source.corrections) {
        if (!matches(correction.match, row)) continue;
        set(row.tp, correction.tp);
        set(row.pp, correction.pp);
        set(row.virtual_stages, correction.virtual_stages);
        set(row.ep, correction.ep);
        set(row.microbatch, correction.microbatch);
        set(row.end_layers, correction.end_layers);
        if (!correction.recompute.empty()) row.recompute = correction.recompute;
        if (!correction.stage_layers.empty()) row.stage_layers = correction.stage_layers;
        if (correction.rank_order != graph::RankOrder{}) row.rank_order = correction.rank_order;
        if (correction.capacity_factor > 0.0) row.capacity_factor = correction.capacity_factor;
        if (correction.imbalance != graph::Imbalance::balanced) row.imbalance = correction.imbalance;
        if (correction.loss_tiles > 0) row.loss_tiles = correction.loss_tiles;
        if (correction.bf16_last_layers > 0) row.bf16_last_layers = correction.bf16_last_layers;
    }
    return row;
}

bool ends_with_gradients(const TruthSource& source, const TruthRow& row) {
    return !source.ends_with_gradients.empty() && matches(source.ends_with_gradients, row);
}

const std::string* exclusion_of(const TruthSource& source, const TruthRow& row) {
    return reason_for(source.excluded, row);
}

const std::string* set_aside_of(const TruthSource& source, const TruthRow& row) {
    return reason_for(source.set_aside, row);
}

}  // namespace dse::eval
