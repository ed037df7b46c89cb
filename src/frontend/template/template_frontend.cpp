#include "dse/frontend/template/template_frontend.hpp"

#include <map>

#include <fmt/format.h>

#include "bound_structure.hpp"
#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/frontend/model_file.hpp"
#include "layout_checks.hpp"
#include "model_blocks.hpp"
#include "number_binding.hpp"
#include "structure_key.hpp"

namespace dse::frontend {
using graph::AxisSet;
using graph::ResolvedLayout;
using graph::WorkloadSpec;

namespace {

void require_heads(const WorkloadSpec& workload, const ModelBlocks& blocks) {
    if (workload.engine.speculative != graph::Speculation::mtp || blocks.drafts()) return;
    throw ModelError(
        fmt::format("speculative mtp: model '{}' has no heads that draft tokens (speculative: draft has a "
                    "model of its own)",
                    blocks.name()));
}

}  // namespace

/// One model and the structures that have been built for it.
class TemplateFrontend::Model {
  public:
    Model(ModelFile file, TemplateSource source, config::Diagnostics& diagnostics)
        : blocks_{std::move(file), std::move(source), diagnostics} {}

    ModelBlocks& blocks() { return blocks_; }
    BlockPlanner& planner() { return planner_; }

    /// \param revision  see NumberBinding::bind_numbers
    const graph::Graph& build(const WorkloadSpec& workload, const ResolvedLayout& layout,
                              std::uint64_t& revision) {
        BoundStructure& bound = find_structure(workload, layout);
        blocks_.require_sequence(workload, bound.has_sequences);
        binding_.bind_schedule(workload, layout, bound);
        binding_.bind_numbers(blocks_, workload, layout, revision, bound);
        return bound.structure.graph;
    }

    void forget() {
        binding_.forget();
        structures_.clear();
        planner_.forget();
    }

  private:
    BoundStructure& find_structure(const WorkloadSpec& workload, const ResolvedLayout& layout) {
        const StructureKey key(workload, layout);
        const auto found = structures_.find(key);
        if (found != structures_.end()) return found->second;
        return structures_.emplace(key, make_structure(blocks_, planner_, workload, layout)).first->second;
    }

    ModelBlocks blocks_;
    BlockPlanner planner_{blocks_};
    std::map<StructureKey, BoundStructure> structures_;
    NumberBinding binding_;
};

struct TemplateFrontend::Impl {
    config::Library library;
    std::map<std::string, std::unique_ptr<Model>, std::less<>> models{};
    std::uint64_t revision{0};

    std::unique_ptr<Model> load(const config::Node& name, config::Diagnostics& diagnostics) {
        const auto node = library.load("workloads/models", name, diagnostics);
        if (!node || !diagnostics.ok()) return nullptr;
        ModelFile file = read_model(*node, diagnostics);
        const config::Node* template_name = node->find("template");
        if (!diagnostics.ok() || template_name == nullptr) return nullptr;
        return make(std::move(file), *template_name, diagnostics);
    }

    std::unique_ptr<Model> make(ModelFile file, const config::Node& template_name,
                                config::Diagnostics& diagnostics) {
        const auto node = library.load("workloads/templates", template_name, diagnostics);
        if (!node || !diagnostics.ok()) return nullptr;
        TemplateSource source = read_template(*node, diagnostics);
        if (!diagnostics.ok()) return nullptr;
        return std::make_unique<Model>(std::move(file), std::move(source), diagnostics);
    }
};

TemplateFrontend::TemplateFrontend(config::Library library) : impl_{new Impl{std::move(library), {}}} {}

TemplateFrontend::~TemplateFrontend() = default;

TemplateFrontend::Model& TemplateFrontend::model(const std::string& name) {
    const auto found = impl_->models.find(name);
    if (found != impl_->models.end()) return *found->second;
    config::Diagnostics diagnostics;
    auto loaded = impl_->load(config::Node::scalar(name, "workload.model", "model " + name), diagnostics);
    diagnostics.throw_if_any();
    DSE_REQUIRE(loaded != nullptr);
    return *impl_->models.emplace(name, std::move(loaded)).first->second;
}

void TemplateFrontend::define(ModelFile file) {
    config::Diagnostics diagnostics;
    const std::string name = file.name;
    const config::Node template_name = config::Node::scalar(file.template_name, "template", "model " + name);
    auto made = impl_->make(std::move(file), template_name, diagnostics);
    diagnostics.throw_if_any();
    impl_->models.insert_or_assign(name, std::move(made));
}

const graph::Graph& TemplateFrontend::build(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    require_valid(workload.stack);
    require_valid(workload.routing);
    require_context_parallel(workload, layout);
    require_valid(workload.adapter);
    if (is_inference(workload.mode)) {
        require_trained(workload);
        require_cached(workload);
    } else {
        require_trainable(workload.stack);
    }
    require_offload(workload);
    Model& built = model(workload.model);
    if (is_inference(workload.mode)) require_heads(workload, built.blocks());
    return built.build(workload, layout, impl_->revision);
}

void TemplateFrontend::forget() {
    for (const auto& [name, model] : impl_->models) model->forget();
}

double TemplateFrontend::parameter_count(const WorkloadSpec& workload) {
    return model(workload.model).blocks().parameter_count(workload, ModelBlocks::Counted::all);
}

double TemplateFrontend::active_parameter_count(const WorkloadSpec& workload) {
    return model(workload.model).blocks().parameter_count(workload, ModelBlocks::Counted::active);
}

bool TemplateFrontend::works_on_sequences(const std::string& name) {
    return model(name).blocks().works_on_sequences();
}

bool TemplateFrontend::drafts(const std::string& name) {
    return model(name).blocks().drafts();
}

bool TemplateFrontend::has_shared_expert(const std::string& name) {
    return model(name).blocks().has_shared_expert();
}

bool TemplateFrontend::has_experts(const std::string& name) {
    return model(name).blocks().has_experts();
}

std::int64_t TemplateFrontend::positions(const std::string& name) {
    return model(name).blocks().positions();
}

std::int64_t TemplateFrontend::context(const std::string& name) {
    return model(name).blocks().context();
}

std::string TemplateFrontend::misfit(const WorkloadSpec& workload) {
    WorkloadSpec step = workload;
    if (workload.mode == graph::Mode::serving) step.mode = graph::Mode::decode;
    try {
        static_cast<void>(model(step.model).planner().make_blocks(step, step.stack));
        return {};
    } catch (const ModelError& error) {
        return error.what();
    }
}

void TemplateFrontend::check_model(const std::string& name, const config::Location& where,
                                   config::Diagnostics& diagnostics) {
    const config::Location origin{std::make_shared<const std::string>("model")};
    const config::Node text = config::Node::scalar(name, "workload.model", where.file ? where : origin);
    const auto loaded = impl_->load(text, diagnostics);
    if (!loaded || !diagnostics.ok()) return;
    const auto check = [&](graph::Attention attention, bool sequence_parallel, graph::Mode mode) {
        TemplateOptions options;
        options.sequence_parallel = sequence_parallel;
        options.stack.attention = attention;
        options.mode = mode;
        const std::vector<Block> blocks = loaded->blocks().make(options, diagnostics);
        if (!diagnostics.ok()) return;
        const AxisSet active = graph::attention_axes | graph::expert_axes;
        for (const Block& block : blocks) shard(block, active, diagnostics);
    };
    for (const auto attention : {graph::Attention::flash, graph::Attention::unfused}) {
        for (const bool sequence_parallel : {true, false}) {
            if (diagnostics.ok()) check(attention, sequence_parallel, graph::Mode::training);
        }
    }
    if (!loaded->blocks().asks_mode()) return;
    for (const auto mode : {graph::Mode::prefill, graph::Mode::decode}) {
        if (diagnostics.ok()) check(graph::Attention::flash, mode == graph::Mode::prefill, mode);
    }
}

}  // namespace dse::frontend
