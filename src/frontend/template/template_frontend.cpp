#include "dse/frontend/template/template_frontend.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/frontend/model_file.hpp"
#include "dse/frontend/template/layer_partition.hpp"
#include "dse/frontend/template/structure.hpp"
#include "dse/symbolic/expression_error.hpp"
#include "expert_loads.hpp"
#include "layer_policy.hpp"
#include "layout_checks.hpp"
#include "model_uses.hpp"
#include "structure_key.hpp"

namespace dse::frontend {
namespace {

using workload::AxisSet;
using workload::MeshAxis;
using workload::ResolvedLayout;
using workload::TrainingStack;
using workload::WorkloadSpec;

/// Axes of more than one device; those of experts only where the model has some.
AxisSet active_axes(const workload::Mesh& mesh, bool has_experts) {
    AxisSet active;
    for (const MeshAxis axis : mesh.order) {
        if (mesh.degree(axis) > 1) active = active | axis;
    }
    const AxisSet dense = workload::attention_axes | MeshAxis::replica;
    return active & (has_experts ? dense | workload::expert_axes : dense);
}

bool has_experts(const std::vector<Block>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& block) {
        return std::any_of(block.operations.begin(), block.operations.end(),
                           [](const Operation& operation) { return operation.refolding.has_value(); });
    });
}

/// Without its place, which differs from machine to machine.
std::string first_error(const config::Diagnostics& diagnostics) {
    const auto& all = diagnostics.all();
    return std::find_if(all.begin(), all.end(),
                        [](const auto& each) { return each.severity == config::Severity::error; })
        ->message;
}

/// What was bound last: a point that agrees in all of it needs no evaluation.
struct Binding {
    double batch{0};
    double sequence{0};
    std::array<std::int64_t, workload::mesh_axis_count> mesh{};
    std::array<MeshAxis, workload::mesh_axis_count> order{};
    workload::Precision precision{};
    workload::Precision gradient_precision{};
    workload::Precision master_precision{};
    workload::Precision optimizer_precision{};
    workload::PrimaryWeights primary_weights{};
    bool gather_casts{false};
    bool keep_weight_casts{false};
    double overlap_tp{0};
    double overlap_cp{0};
    double overlap_ep{0};
    double overlap_dp{0};
    double overlap_pp{0};
    workload::Routing routing;
    double context{0};
    double cached{0};
    double served{0};
    workload::CachePrecision cache{};
    friend bool operator==(const Binding&, const Binding&) = default;
};

struct BoundStructure {
    Structure structure;
    Binding binding;
    workload::ScheduleKind schedule_kind{};
    std::uint32_t microbatches{0};
    bool has_experts{false};
    bool has_sequences{false};
    std::uint32_t steps{0};
    std::vector<std::size_t> replicable;  ///< slots of symbols: see Operation::replicable
};

}  // namespace

/// One model with its template, and the structures that have been built of it.
class TemplateFrontend::Model {
  public:
    /// \param revision  last one given to a graph, of whatever model
    Model(ModelFile file, TemplateSource source, std::uint64_t& revision, config::Diagnostics& diagnostics)
        : file_{std::move(file)}, source_{std::move(source)}, revision_{revision} {
        add_symbols(diagnostics);
        uses_ = read_uses(file_, source_, dimensions_, sample_, diagnostics);
        for (const ModelUse& use : uses_) rows_.push_back(use.row);
    }

    const workload::Graph& build(const WorkloadSpec& workload, const ResolvedLayout& layout) {
        BoundStructure& bound = find_structure(workload, layout);
        require_sequence(workload, bound.has_sequences);
        bind_schedule(workload, layout, bound);
        bind_numbers(workload, layout, bound);
        return bound.structure.graph;
    }

    void forget() { structures_.clear(); }

    /// Whether its template says itself what differs between training and inference.
    [[nodiscard]] bool asks_mode() const {
        return std::any_of(source_.blocks.begin(), source_.blocks.end(), [](const auto& block) {
            return std::any_of(block.lines.begin(), block.lines.end(), [](const auto& line) {
                return line.condition.find("mode") != std::string::npos;
            });
        });
    }

    /// Builds the blocks for these options.
    std::vector<Block> make_blocks(const TemplateOptions& options, config::Diagnostics& diagnostics) {
        std::vector<Tensor> entries;
        for (const ModelUse& use : uses_) {
            dimensions_.set_block_sizes(use.sizes);
            entries.push_back(make_boundary(source_, *use.source, options, dimensions_, diagnostics));
        }
        std::vector<Block> blocks;
        for (std::size_t i = 0; i < uses_.size(); ++i) {
            dimensions_.set_block_sizes(uses_[i].sizes);
            Boundaries boundaries{entries[i], entries[next_of(i)]};
            if (!rows_[i].has_input) boundaries.entry.reset();
            if (rows_[i].count > 1) require_repeatable(uses_[i], boundaries, diagnostics);
            blocks.push_back(make_block(*uses_[i].source, options, std::move(boundaries), dimensions_,
                                        sample_, diagnostics));
        }
        return blocks;
    }

    bool works_on_sequences() {
        config::Diagnostics diagnostics;
        const std::vector<Block> blocks = make_blocks({}, diagnostics);
        diagnostics.throw_if_any();
        return use_sequence(blocks);
    }

    enum class Counted { all, active };

    double parameter_count(const WorkloadSpec& workload, Counted counted) {
        config::Diagnostics diagnostics;
        const std::vector<Block> blocks =
            make_blocks({workload.layout.sequence_parallel, workload.stack}, diagnostics);
        diagnostics.throw_if_any();
        std::vector<double> symbols = sample_;
        symbols[Dimensions::sequence_slot] = static_cast<double>(workload.sequence);
        double total = 0.0;
        for (const BlockRow& row : rows_) {
            const Block& block = blocks[row.block];
            for (const TensorId id : block.parameters()) {
                const Tensor& tensor = block.tensor(id);
                double elements = tensor.tied ? 0.0 : 1.0;
                for (const DimId dim : tensor.shape) elements *= dimensions_.evaluate(dim, symbols);
                const bool of_experts = replicas_of(tensor) == AxisSet{MeshAxis::expert_data};
                if (counted == Counted::active && of_experts) elements *= chosen_share(block, symbols);
                total += elements * static_cast<double>(row.count);
            }
        }
        return total;
    }

  private:
    /// The next block that stands at all; the last one itself.
    [[nodiscard]] std::size_t next_of(std::size_t use) const {
        const std::size_t last = rows_.size() - 1;
        do {
            use = std::min(use + 1, last);
        } while (use < last && rows_[use].count == 0);
        return use;
    }

    /// Whether two boundaries have the same shape and lie alike.
    [[nodiscard]] bool alike(const Tensor& a, const Tensor& b) const {
        const auto equal = [&](DimId x, DimId y) {
            return dimensions_.evaluate(x, sample_) == dimensions_.evaluate(y, sample_);
        };
        return std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(), equal) &&
               a.layout == b.layout;
    }

    /// What leaves a block that stands several times enters it again.
    void require_repeatable(const ModelUse& use, const Boundaries& boundaries,
                            config::Diagnostics& diagnostics) const {
        if (alike(*boundaries.entry, boundaries.exit)) return;
        diagnostics.error(use.where, "blocks",
                          fmt::format("'{}' stands {} times, but the block after it takes another shape",
                                      use.source->name, use.row.count));
    }

    /// Experts a token over experts in a layer.
    [[nodiscard]] double chosen_share(const Block& block, std::span<const double> symbols) const {
        for (const Tensor& tensor : block.tensors) {
            for (const DimId dim : tensor.shape) {
                const auto& rows = dimensions_.rows(dim);
                if (!rows) continue;
                return dimensions_.evaluate(rows->chosen, symbols) /
                       dimensions_.evaluate(rows->experts, symbols);
            }
        }
        return 1.0;
    }

    [[nodiscard]] bool use_sequence(const std::vector<Block>& blocks) const {
        const auto uses = [&](DimId dim) { return dimensions_.uses_sequence(dim); };
        return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
            return std::any_of(block.tensors.begin(), block.tensors.end(), [&](const Tensor& tensor) {
                return std::any_of(tensor.shape.begin(), tensor.shape.end(), uses);
            });
        });
    }

    void require_sequence(const WorkloadSpec& workload, bool needed) const {
        const bool stated = workload.sequence > 0;
        if (stated == needed) return;
        throw ModelError(
            stated ? fmt::format("a sample of model '{}' is no sequence: sequence {} says nothing",
                                 file_.name, workload.sequence)
                   : fmt::format("a sample of model '{}' is a sequence: of how many tokens?", file_.name));
    }

    /// All messages between stages are of one size.
    void require_one_boundary(const std::vector<Block>& blocks) const {
        const Tensor* first = nullptr;
        for (const Block& block : blocks) {
            if (!block.input) continue;
            const Tensor& entry = block.tensor(*block.input);
            if (first != nullptr && !alike(*first, entry)) {
                throw ModelError(fmt::format(
                    "what passes from block to block of model '{}' changes its shape: it has one stage",
                    file_.name));
            }
            first = &entry;
        }
    }

    void add_symbols(config::Diagnostics& diagnostics) {
        // Shapes are compared at these: divisible, and equal to no size of a model.
        constexpr double sample_batch = 64 * 1009;
        constexpr double sample_sequence = 12288 * 1013;
        constexpr double sample_cached = 16384 * 1019;
        constexpr double sample_served = 128 * 1021;
        sample_ = {sample_batch, sample_sequence, sample_sequence, sample_cached, sample_served};
        dimensions_.add_serving_symbols();
        for (const ModelFile::Symbol& symbol : file_.symbols) {
            try {
                dimensions_.add_symbol(symbol.name);
                sample_.push_back(symbol.value);
            } catch (const InputError& error) {
                diagnostics.error(symbol.where, "symbols." + symbol.name, error.what());
            }
        }
        for (const std::string& needed : source_.symbols) {
            if (dimensions_.symbols().find(needed) != nullptr) continue;
            diagnostics.error(file_.template_where, "symbols",
                              fmt::format("template '{}' needs the size '{}'", file_.template_name, needed));
        }
    }

    BoundStructure& find_structure(const WorkloadSpec& workload, const ResolvedLayout& layout) {
        const StructureKey key(workload, layout);
        const auto found = structures_.find(key);
        if (found != structures_.end()) return found->second;
        // A sweep has few structures; one that varies all options at once must still not fill the memory.
        constexpr std::size_t most_structures = 4096;
        if (structures_.size() >= most_structures) structures_.clear();
        return structures_.emplace(key, make_structure(workload, layout)).first->second;
    }

    BoundStructure make_structure(const WorkloadSpec& workload, const ResolvedLayout& layout) {
        const bool inference = is_inference(workload.mode);
        const TrainingStack stack = inference ? forward_part(workload.stack) : workload.stack;
        const workload::ScheduleKind schedule =
            inference ? workload::ScheduleKind::one_f_one_b : workload.layout.schedule;
        const workload::Placement placement = workload::placement_of(schedule);
        std::vector<StageUnits> stages = partition_layers(rows_, layout.stages, layout.chunks, placement);
        // One token a sequence is nothing that could be split.
        const bool sequence_parallel =
            workload.layout.sequence_parallel && workload.mode != workload::Mode::decode;
        config::Diagnostics diagnostics;
        std::vector<Block> blocks =
            make_blocks({sequence_parallel, stack, workload.mode, workload.recompute_tensors}, diagnostics);
        // A template that was written for training may not be fit to serve.
        if (inference && !diagnostics.ok())
            throw ModelError(
                fmt::format("model '{}' cannot be served: {}", file_.name, first_error(diagnostics)));
        diagnostics.throw_if_any();
        if (inference) require_decoder(blocks, file_.name);
        if (!inference) require_known_tensors(workload.recompute_tensors, blocks);
        apply_layer_policies(stack, blocks, stages);
        const bool routes = has_experts(blocks);
        if (!routes && layout.mesh.degree(MeshAxis::expert) > 1) {
            throw ModelError(fmt::format("model '{}' has no experts for ep {} to share", file_.name,
                                         layout.mesh.degree(MeshAxis::expert)));
        }
        require_split(blocks, layout.mesh, file_.name);
        require_one_copy(blocks, layout.mesh, file_.name);
        if (stages.size() * stages.front().size() > 1) require_one_boundary(blocks);
        const AxisSet active = active_axes(layout.mesh, routes);
        std::vector<Sharding> shardings;
        std::vector<BlockPlans> plans;
        Extents extents;
        for (const Block& block : blocks) {
            shardings.push_back(shard(block, active, diagnostics));
            diagnostics.throw_if_any();
            const auto plan = inference ? plan_forward : plan_passes;
            plans.push_back(
                plan(block, shardings.back(), stack, extents, layout.mesh.degree(MeshAxis::context)));
        }
        const StructureOptions options{
            active,
            layout.stages,
            layout.chunks,
            stack,
            workload::splits_backward(schedule),
            placement,
            inference,
            layout.stages > 1 && workload.mode == workload::Mode::decode ? 2 * workload::decode_steps : 1};
        BoundStructure bound{build_structure(blocks, shardings, plans, std::move(extents), stages, options),
                             {},
                             {},
                             0,
                             routes,
                             use_sequence(blocks),
                             0,
                             replicable_symbols(blocks)};
        return bound;
    }

    /// Those dimensions that are a number of the model: replacing it lays out a model with the copies.
    [[nodiscard]] std::vector<std::size_t> replicable_symbols(const std::vector<Block>& blocks) const {
        std::vector<std::size_t> slots;
        for (const Block& block : blocks) {
            for (const Operation& operation : block.operations) {
                if (!operation.replicable) continue;
                const symbolic::Symbol* symbol =
                    dimensions_.symbols().find(dimensions_.text(*operation.replicable));
                if (symbol != nullptr && !symbol->constant) slots.push_back(symbol->slot);
            }
        }
        return slots;
    }

    static void bind_schedule(const WorkloadSpec& workload, const ResolvedLayout& layout,
                              BoundStructure& bound) {
        const workload::ScheduleKind kind = workload.layout.schedule;
        workload::PipelineSchedule& schedule = bound.structure.graph.schedule;
        if (is_inference(workload.mode)) {
            if (bound.microbatches == layout.microbatches && bound.steps == layout.steps) return;
            workload::make_forward_schedule(layout.stages, layout.microbatches, layout.steps, schedule);
            bound.microbatches = layout.microbatches;
            bound.steps = layout.steps;
            return;
        }
        if (bound.microbatches == layout.microbatches && bound.schedule_kind == kind) return;
        bound.microbatches = 0;  // stays invalid if there is no such schedule
        workload::make_schedule(kind, layout.stages, layout.microbatches, layout.chunks, schedule);
        schedule.identity = workload::identity_of(kind, schedule);
        bound.microbatches = layout.microbatches;
        bound.schedule_kind = kind;
    }

    void bind_numbers(const WorkloadSpec& workload, const ResolvedLayout& layout, BoundStructure& bound) {
        const TrainingStack& stack = workload.stack;
        const double batch = static_cast<double>(layout.microbatch * layout.mesh.degree(MeshAxis::data));
        const bool inference = is_inference(workload.mode);
        const bool decodes = workload.mode == workload::Mode::decode;
        const workload::CacheExtent cache =
            inference ? workload::cache_extent(workload.mode, workload.serving, workload.sequence,
                                               layout.mesh.degree(MeshAxis::context))
                      : workload::CacheExtent{};
        const Binding binding{batch,
                              decodes ? 1.0 : static_cast<double>(workload.sequence),
                              layout.mesh.size,
                              layout.mesh.order,
                              stack.precision,
                              stack.gradient_precision,
                              stack.master_precision,
                              stack.optimizer_precision,
                              stack.primary_weights,
                              stack.gather_casts,
                              stack.keep_weight_casts,
                              stack.overlap_tp,
                              stack.overlap_cp,
                              stack.overlap_ep,
                              stack.overlap_dp,
                              stack.overlap_pp,
                              workload.routing,
                              static_cast<double>(cache.context),
                              static_cast<double>(cache.cached),
                              inference ? static_cast<double>(workload.global_batch) : 0.0,
                              workload.serving.kv_cache_precision};
        if (bound.binding == binding) return;
        bound.binding = Binding{};  // stays invalid if a dimension does not divide
        if (bound.has_experts) require_equal_stages(layout.mesh);

        workload::Graph& graph = bound.structure.graph;
        graph.mesh = layout.mesh;
        numbers_.mesh = layout.mesh;
        numbers_.overlap_tp = stack.overlap_tp;
        numbers_.overlap_cp = stack.overlap_cp;
        numbers_.overlap_ep = stack.overlap_ep;
        numbers_.overlap_dp = stack.overlap_dp;
        numbers_.overlap_pp = stack.overlap_pp;
        numbers_.shares_sequences = inference;
        if (inference) {
            set_precisions(stack, workload.serving.kv_cache_precision, numbers_);
        } else {
            set_precisions(stack, numbers_);
        }
        symbols_ = sample_;
        symbols_[Dimensions::context_slot] = binding.context;
        symbols_[Dimensions::cached_slot] = binding.cached;
        symbols_[Dimensions::served_slot] = binding.served;
        symbols_[Dimensions::batch_slot] = batch;
        symbols_[Dimensions::sequence_slot] = binding.sequence;
        // Key-value heads that are fewer than the devices that split them: each device has a copy of one.
        const auto tp = static_cast<double>(layout.mesh.degree(MeshAxis::tensor));
        for (const std::size_t slot : bound.replicable) {
            double& heads = symbols_[slot];
            if (tp > heads && std::fmod(tp, heads) == 0.0) heads = tp;
        }
        dims_.resize(dimensions_.size());
        dimensions_.evaluate(symbols_, dims_);
        loads_.evaluate(workload.routing, dimensions_, dims_, numbers_);
        if (inference) ExpertLoads::evaluate_touched(dimensions_, dims_, numbers_);
        evaluate_extents(bound.structure.extents, dims_, dimensions_, numbers_);
        for (std::size_t i = 0; i < graph.works.size(); ++i)
            evaluate(bound.structure.works[i], numbers_, graph.works[i]);
        for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
            graph.buffers[i] = {bound.structure.buffers[i].kind,
                                Bytes{evaluate(bound.structure.buffers[i].size, numbers_)}};
        }
        graph.revision = ++revision_;
        bound.binding = binding;
    }

    ModelFile file_;
    TemplateSource source_;
    Dimensions dimensions_;
    std::vector<double> sample_;
    std::vector<ModelUse> uses_;
    std::vector<BlockRow> rows_;  ///< of the uses
    std::map<StructureKey, BoundStructure> structures_;
    std::uint64_t& revision_;
    // Scratch, kept so that a point allocates nothing.
    Numbers numbers_;
    std::vector<double> symbols_;
    std::vector<double> dims_;
    ExpertLoads loads_;
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
        return std::make_unique<Model>(std::move(file), std::move(source), revision, diagnostics);
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

const workload::Graph& TemplateFrontend::build(const WorkloadSpec& workload, const ResolvedLayout& layout) {
    require_valid(workload.stack);
    require_valid(workload.routing);
    require_context_parallel(workload, layout);
    if (is_inference(workload.mode)) require_cached(workload);
    require_offload(workload);
    return model(workload.model).build(workload, layout);
}

void TemplateFrontend::forget() {
    for (const auto& [name, model] : impl_->models) model->forget();
}

double TemplateFrontend::parameter_count(const WorkloadSpec& workload) {
    return model(workload.model).parameter_count(workload, Model::Counted::all);
}

double TemplateFrontend::active_parameter_count(const WorkloadSpec& workload) {
    return model(workload.model).parameter_count(workload, Model::Counted::active);
}

bool TemplateFrontend::works_on_sequences(const std::string& name) {
    return model(name).works_on_sequences();
}

void TemplateFrontend::check_model(const std::string& name, const config::Location& where,
                                   config::Diagnostics& diagnostics) {
    config::Node text = config::Node::scalar(name, "workload.model", where.file ? to_string(where) : "model");
    const auto loaded = impl_->load(text, diagnostics);
    if (!loaded || !diagnostics.ok()) return;
    const auto check = [&](workload::Attention attention, bool sequence_parallel, workload::Mode mode) {
        TemplateOptions options;
        options.sequence_parallel = sequence_parallel;
        options.stack.attention = attention;
        options.mode = mode;
        const std::vector<Block> blocks = loaded->make_blocks(options, diagnostics);
        if (!diagnostics.ok()) return;
        const AxisSet active = workload::attention_axes | workload::expert_axes;
        for (const Block& block : blocks) shard(block, active, diagnostics);
    };
    for (const auto attention : {workload::Attention::flash, workload::Attention::unfused}) {
        for (const bool sequence_parallel : {true, false}) {
            if (diagnostics.ok()) check(attention, sequence_parallel, workload::Mode::training);
        }
    }
    if (!loaded->asks_mode()) return;
    for (const auto mode : {workload::Mode::prefill, workload::Mode::decode}) {
        if (diagnostics.ok()) check(workload::Attention::flash, mode == workload::Mode::prefill, mode);
    }
}

}  // namespace dse::frontend
