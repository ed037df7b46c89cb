#include "body_builder.hpp"

#include <algorithm>
#include <limits>

namespace dse::frontend {
namespace {

using workload::Item;
using workload::ValueRef;

constexpr std::size_t stays = std::numeric_limits<std::size_t>::max();

/// The region under construction.
class Assembly {
  public:
    explicit Assembly(workload::Region& region) : region_{region} {}

    std::size_t add(workload::WorkId work, workload::StreamId stream, std::vector<ValueRef> inputs) {
        Item item;
        item.work = work;
        item.stream = stream;
        std::erase_if(inputs, [](ValueRef ref) { return ref.source == ValueRef::Source::none; });
        item.inputs = std::move(inputs);
        region_.items.push_back(std::move(item));
        return region_.items.size() - 1;
    }
    void wait(std::size_t item, ValueRef value) {
        if (value.source != ValueRef::Source::none) region_.items[item].inputs.push_back(value);
    }
    void allocate(std::size_t item, workload::BufferId buffer) {
        region_.items[item].allocates.push_back(buffer);
    }
    void free(std::size_t item, workload::BufferId buffer) { region_.items[item].frees.push_back(buffer); }

  private:
    workload::Region& region_;
};

}  // namespace

BodyBuilder::BodyBuilder(const Block& block, const PassPlan& plan, bool forward, Structure& structure)
    : block_{block}, plan_{plan}, forward_{forward} {
    for (const Step& step : plan.steps) {
        structure.works.push_back(step.work);
        works_.emplace_back(structure.works.size() - 1);
    }
    for (const Version& version : plan.versions) {
        BufferFormula buffer;
        buffer.kind =
            version.gathered ? workload::MemoryKind::communication : workload::MemoryKind::activations;
        buffer.size =
            amount_of(block.tensor(version.tensor), version.gradient, version.layout, structure.extents);
        structure.buffers.push_back(std::move(buffer));
        buffers_.emplace_back(structure.buffers.size() - 1);
    }
    last_use_.assign(plan.versions.size(), 0);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        for (const VersionId version : plan.steps[i].inputs) last_use_[version.index()] = i;
        for (const VersionId version : plan.steps[i].outputs) last_use_[version.index()] = i;
    }
    if (plan.exit) last_use_[plan.exit->index()] = stays;
    if (forward) {
        for (const VersionId version : plan.saved) last_use_[version.index()] = stays;
    }
    structure.works.emplace_back(workload::Launch{plan.kernels});
    launch_ = workload::WorkId(structure.works.size() - 1);
}

workload::Region BodyBuilder::build(const BodyVariant& variant, std::size_t own,
                                    const std::vector<BlockState>& states, bool host_launches) const {
    workload::Region region;
    region.name = block_.name + (forward_ ? " forward" : " backward");
    region.ports =
        static_cast<std::uint16_t>(1 + variant.gather_ports + (variant.waits_for_reduction ? 1 : 0));
    Assembly assembly(region);
    const ValueRef boundary = ValueRef::port(0);
    const ValueRef reduction_before = ValueRef::port(1U + variant.gather_ports);
    const BlockState& state = states[own];

    // Parameters: sent for ahead of their use, or arriving now.
    ValueRef parameters = variant.gather_ports > 0 ? ValueRef::port(1) : ValueRef::none();
    ValueRef sent_for = ValueRef::none();
    const auto gather = [&](std::size_t which) {
        std::vector<ValueRef> inputs;
        if (variant.gather_after_entry) inputs.push_back(boundary);
        const std::size_t item = assembly.add(states[which].gather, streams::gather, std::move(inputs));
        if (variant.frees_gathered) assembly.allocate(item, states[which].gathered);
        return ValueRef::item(item);
    };
    if (variant.gathers) sent_for = gather(*variant.gathers);
    if (variant.gathers_own) parameters = gather(own);
    ValueRef launched = ValueRef::none();
    if (host_launches) launched = ValueRef::item(assembly.add(launch_, streams::host, {}));

    // The pass itself.
    std::vector<ValueRef> value(plan_.versions.size(), ValueRef::none());
    if (plan_.entry) value[plan_.entry->index()] = boundary;
    std::vector<std::size_t> item_of(plan_.steps.size());
    std::size_t last_compute = stays;
    std::size_t last_parameter = stays;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        const Step& step = plan_.steps[i];
        std::vector<ValueRef> inputs;
        for (const VersionId version : step.inputs) inputs.push_back(value[version.index()]);
        if (step.reads_parameters) inputs.push_back(parameters);
        const bool collective = std::holds_alternative<CollectiveFormula>(step.work);
        const std::size_t item =
            assembly.add(works_[i], collective ? streams::tensor : streams::compute, std::move(inputs));
        item_of[i] = item;
        if (!collective) last_compute = item;
        if (step.reads_parameters) last_parameter = item;
        for (const VersionId version : step.outputs) {
            value[version.index()] = ValueRef::item(item);
            assembly.allocate(item, buffers_[version.index()]);
        }
    }
    if (last_compute != stays) assembly.wait(last_compute, launched);

    // Lifetimes: what came in or was made here goes after its last use.
    for (std::size_t v = 0; v < plan_.versions.size(); ++v) {
        if (last_use_[v] == stays || plan_.steps.empty()) continue;
        const TensorRole role = block_.tensor(plan_.versions[v].tensor).role;
        const bool state_of_model =
            (role == TensorRole::parameter || role == TensorRole::input) && !plan_.versions[v].gathered;
        if (!state_of_model) assembly.free(item_of[last_use_[v]], buffers_[v]);
    }
    if (variant.frees_gathered && last_parameter != stays) assembly.free(last_parameter, state.gathered);

    // Gradients: reduced once the last of them is there.
    ValueRef reduction = ValueRef::none();
    if (!plan_.gradients.empty()) {
        const std::size_t last_gradient = item_of[plan_.gradients.back().step];
        std::vector<ValueRef> ready;
        for (const ParameterGradient& gradient : plan_.gradients)
            ready.push_back(ValueRef::item(item_of[gradient.step]));
        if (variant.reduces && state.reduces_tp) {
            ready.push_back(ValueRef::item(assembly.add(state.reduce_tp, streams::tensor, ready)));
        }
        if (variant.waits_for_reduction) {
            assembly.wait(last_gradient, reduction_before);
            assembly.allocate(item_of[plan_.gradients.front().step], state.unreduced);
        }
        if (variant.reduces && state.reduces_dp) {
            const std::size_t item = assembly.add(state.reduce, streams::reduce, std::move(ready));
            reduction = ValueRef::item(item);
            if (variant.waits_for_reduction) assembly.free(item, state.unreduced);
        }
    }

    region.outputs.push_back(plan_.exit ? value[plan_.exit->index()] : ValueRef::none());
    for (std::uint16_t port = 1; port <= variant.gather_ports; ++port) {
        region.outputs.push_back(port < variant.gather_ports ? ValueRef::port(port + 1U) : sent_for);
    }
    if (variant.waits_for_reduction) region.outputs.push_back(reduction);
    return region;
}

}  // namespace dse::frontend
