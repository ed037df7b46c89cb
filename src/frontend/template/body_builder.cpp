#include "body_builder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "region_writer.hpp"

namespace dse::frontend {
namespace {

using graph::ValueRef;

constexpr std::array<std::string_view, 4> pass_names{"forward", "backward", "input gradient",
                                                     "weight gradient"};

constexpr std::size_t stays = std::numeric_limits<std::size_t>::max();

}  // namespace

ComputeFormula no_work() {
    ComputeFormula nothing;
    nothing.op_class = graph::OpClass::optimizer;
    nothing.kernels = 0;
    return nothing;
}

BodyBuilder::BodyBuilder(const Block& block, const PassPlan& plan, BodyPass pass, Structure& structure)
    : block_{block}, plan_{plan}, pass_{pass}, structure_{&structure}, memory_{memory_of(plan)} {
    DSE_ENSURE(!plan.exit || memory_[plan.exit->index()].size() == 1);
    add_works();
    find_last_uses();
    add_buffers();
    helpers_ = {.launch = structure.add_name("launch kernels"),
                .gather = structure.add_name("gather parameters"),
                .come = structure.add_name("call activations back"),
                .leave = structure.add_name("send activations"),
                .reduce = structure.add_name("reduce gradients"),
                .replicate = structure.add_name("add gradients of copies"),
                .send_gradients = structure.add_name("send gradients"),
                .drop = structure.add_name("drop gradient"),
                .copy_out = structure.add_name("copy parameters out"),
                .copy_in = structure.add_name("copy gradients in")};
}

void BodyBuilder::add_works() {
    for (const Step& step : plan_.steps) {
        works_.push_back(structure_->add_work(step.work));
        names_.push_back(structure_->add_name(step.name));
        std::optional<graph::BufferId>& workspace = workspaces_.emplace_back();
        if (!step.workspace.terms.empty())
            workspace = structure_->add_buffer(graph::MemoryKind::workspace, step.workspace);
    }
    launch_ = structure_->add_work(plan_.launches);
    if (plan_.steps.empty() && plan_.entry) drop_ = structure_->add_work(no_work());
}

void BodyBuilder::find_last_uses() {
    last_use_.assign(plan_.versions.size(), 0);
    const auto used = [this](const std::vector<VersionId>& versions, std::size_t step) {
        for (const VersionId version : versions) {
            for (const VersionId part : memory_[version.index()]) last_use_[part.index()] = step;
        }
    };
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        used(plan_.steps[i].inputs, i);
        used(plan_.steps[i].outputs, i);
        used(plan_.steps[i].updates, i);
    }
    if (plan_.exit) used({*plan_.exit}, stays);
    used(plan_.stays, stays);
}

void BodyBuilder::add_buffers() {
    for (std::size_t v = 0; v < plan_.versions.size(); ++v) {
        const Version& version = plan_.versions[v];
        if (!version.memory.empty()) {
            buffers_.emplace_back();  // unused: it has no memory of its own
            continue;
        }
        // Results of collectives that leave the block or are kept count as activations.
        const bool passing = version.gathered && last_use_[v] != stays;
        Amount size = amount_of(block_, version, structure_->extents);
        size.scale(block_.tensor(version.tensor).in_memory);
        buffers_.push_back(structure_->add_buffer(
            passing ? graph::MemoryKind::communication : graph::MemoryKind::activations, std::move(size)));
    }
}

bool BodyBuilder::is_state(std::size_t version) const {
    const Version& values = plan_.versions[version];
    const TensorRole role = block_.tensor(values.tensor).role;
    const bool belongs_to_model =
        role == TensorRole::parameter || role == TensorRole::input || role == TensorRole::cache;
    return belongs_to_model && !values.gathered && !values.gradient;
}

/// The region under construction.
class BodyBuilder::Body {
  public:
    Body(const BodyBuilder& builder, const BodyVariant& variant, std::size_t own,
         const std::vector<BlockState>& states)
        : builder_{builder},
          plan_{builder.plan_},
          variant_{variant},
          own_{own},
          states_{states},
          writer_{*builder.structure_} {
        writer_.region.name =
            fmt::format("{} {}", builder.block_.name, pass_names[static_cast<std::size_t>(builder.pass_)]);
        writer_.region.ports = variant.ports();
        if (variant.gather_ports > 0) parameters_ = ValueRef::port(1);
        if (variant.come_ports > 0) activations_ = ValueRef::port(variant.come_port());
    }

    /// Prefetches parameters of a later block.
    void send_for_parameters() {
        if (variant_.gathers) sent_for_ = gather(*variant_.gathers, Memory::follows);
    }

    void gather_own() {
        if (variant_.gathers_own) parameters_ = gather(own_, Memory::at_once);
    }

    /// Fetches activations back ahead of use.
    void call_activations() {
        if (variant_.comes) called_ = come(*variant_.comes);
    }

    /// The host runs ahead by at most one block because the device's launch queue is finite: a block takes
    /// the time of its kernels or that of their launches, whichever is longer.
    void launch_kernels() {
        launched_ = ValueRef::item(
            writer_.add(builder_.launch_, names().launch, streams().host(), {ValueRef::port(0)}));
    }

    /// Copies what was gathered before the first kernel that reads it.
    void copy_parameters() {
        if (variant_.copies_own) copy_out(own_);
        if (variant_.root && builder_.pass_ == BodyPass::forward) copy_out(*variant_.root);
    }

    void play_steps() {
        value_.assign(plan_.versions.size(), ValueRef::none());
        if (plan_.entry) value_[plan_.entry->index()] = boundary_;
        if (plan_.loops && !plan_.entry) start_with_tokens();
        if (builder_.pass_ != BodyPass::forward) {
            for (const VersionId version : plan_.saved) {
                for (const VersionId part : memory(version)) value_[part.index()] = activations_;
            }
        }
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            const auto* collective = std::get_if<CollectiveFormula>(&plan_.steps[i].work);
            const std::size_t item =
                play(i, collective != nullptr ? streams().of(collective->axes) : graph::compute_stream);
            if (collective == nullptr) last_compute_ = item;
        }
        if (last_compute_ != stays) writer_.wait(last_compute_, launched_);
    }

    /// The tokens of a step are ready when the previous step has ended.
    void start_with_tokens() {
        for (std::size_t v = 0; v < plan_.versions.size(); ++v) {
            if (builder_.block_.tensor(plan_.versions[v].tensor).role == TensorRole::input)
                value_[v] = boundary_;
        }
    }

    /// Frees the gradient that arrives at a block without a backward pass, because all of it is frozen.
    void drop_entry() {
        if (!plan_.entry) return;
        const std::size_t entry = plan_.entry->index();
        if (builder_.last_use_[entry] == stays) return;
        writer_.free(writer_.add(*builder_.drop_, names().drop, graph::compute_stream, {boundary_}),
                     builder_.buffers_[entry]);
    }

    /// Frees incoming and computed values after their last use.
    void free_values() {
        if (item_of_.empty()) return drop_entry();
        for (std::size_t v = 0; v < plan_.versions.size(); ++v) {
            const bool own = plan_.versions[v].memory.empty();
            if (own && builder_.last_use_[v] != stays && !builder_.is_state(v))
                writer_.free(item_of_[builder_.last_use_[v]], builder_.buffers_[v]);
        }
        allocate_followers();
        if (variant_.frees_gathered) {
            for (const Replicas& replicas : states_[own_].replicas) {
                if (replicas.gather && (variant_.holds_gathered || gathers_here(replicas)))
                    writer_.free(last_reader(replicas), replicas.gathered);
            }
        }
        keep_exit_twice();
    }

    /// Programs that gather each parameter before its product hold one block's parameters and a few of the
    /// next: each takes the place of one that is freed (XLA, whose loops over layers gather nothing ahead).
    void allocate_followers() {
        auto next = followers_.begin();
        for (const Replicas& replicas : states_[own_].replicas) {
            if (next == followers_.end()) return;
            if (gathers_here(replicas)) writer_.allocate(last_reader(replicas), *next++);
        }
        for (; next != followers_.end(); ++next) writer_.allocate(item_of_.back(), *next);
    }

    /// Copies the activations for the backward pass to the host at the end of the block. The next block waits
    /// for the copy and frees them, so that at most two blocks' activations are on the device.
    void send_activations() {
        if (!variant_.waits_for_leave || last_compute_ == stays) return;
        writer_.wait(last_compute_, leave_before());
        if (variant_.frees_left) writer_.free(last_compute_, states_[*variant_.frees_left].offloaded->device);
        const auto& own = states_[own_].offloaded;
        left_ = leave_before();
        if (!own) return;
        std::vector<ValueRef> made{ValueRef::item(last_compute_)};
        for (const VersionId version : plan_.saved) {
            for (const VersionId part : memory(version)) made.push_back(value_[part.index()]);
        }
        const std::size_t item = writer_.add(own->leave, names().leave,
                                             streams().of(graph::CopyDirection::to_host), std::move(made));
        writer_.allocate(item, own->host);
        left_ = ValueRef::item(item);
    }

    /// Reduces gradients when the last of them is ready. If they are kept whole over dp, they are reduced
    /// over tp first; if only a shard is kept, the shard is reduced over tp afterwards.
    void reduce_gradients() {
        if (!plan_.gradients.empty()) {
            reduce_own();
        } else if (variant_.waits_for_reduction) {
            reduction_ = reduction_before();
        }
        if (variant_.root && variant_.reduces_dp) reduce_root();
    }

    graph::Region finish() {
        writer_.region.outputs.push_back(exit());
        for (std::uint16_t port = 1; port <= variant_.gather_ports; ++port) {
            writer_.region.outputs.push_back(port < variant_.gather_ports ? ValueRef::port(port + 1U)
                                                                          : sent_for_);
        }
        for (std::uint16_t port = 1; port <= variant_.come_ports; ++port) {
            const bool newest = port == variant_.come_ports;
            writer_.region.outputs.push_back(newest ? called_ : ValueRef::port(variant_.come_port() + port));
        }
        if (variant_.waits_for_leave) writer_.region.outputs.push_back(left_);
        if (variant_.waits_for_reduction) writer_.region.outputs.push_back(reduction_);
        return std::move(writer_.region);
    }

  private:
    [[nodiscard]] graph::StreamTable& streams() const { return builder_.structure_->streams; }
    [[nodiscard]] const Helpers& names() const { return builder_.helpers_; }
    [[nodiscard]] const std::vector<VersionId>& memory(VersionId version) const {
        return builder_.memory_[version.index()];
    }
    /// When the memory of gathered parameters is allocated.
    enum class Memory : std::uint8_t {
        at_once,
        follows,  ///< single parameters: as those of this block are freed
    };

    /// The gathers run one after the other, so that all are complete when the last one is.
    ValueRef gather(std::size_t block, Memory memory) {
        const bool follows = memory == Memory::follows && !variant_.gathers_last && !plan_.steps.empty();
        ValueRef last;
        for (const Replicas* each : in_gathering_order(block, memory)) {
            const Replicas& replicas = *each;
            std::vector<ValueRef> inputs;
            if (variant_.gather_after_entry) inputs.push_back(boundary_);
            const std::size_t item =
                writer_.add_behind(last, *replicas.gather, names().gather, std::move(inputs));
            if (variant_.allocates_gathered && follows && replicas.is_single)
                followers_.push_back(replicas.gathered);
            else if (variant_.allocates_gathered)
                writer_.allocate(item, replicas.gathered);
            last = ValueRef::item(item);
            if (memory == Memory::at_once && replicas.is_single)
                arrivals_.emplace_back(replicas.parameters.front(), last);
        }
        return last;
    }

    /// What is gathered here of a block: ahead of use, as the model declares it, its own, as kernels read it.
    [[nodiscard]] std::vector<const Replicas*> in_gathering_order(std::size_t block, Memory memory) const {
        std::vector<const Replicas*> order;
        for (const Replicas& replicas : states_[block].replicas) {
            if (gathers_here(replicas)) order.push_back(&replicas);
        }
        if (memory == Memory::at_once) {
            std::stable_sort(order.begin(), order.end(), [this](const Replicas* a, const Replicas* b) {
                return a->is_single && b->is_single && first_reader(*a) < first_reader(*b);
            });
        }
        return order;
    }

    /// The step that first reads a single parameter.
    [[nodiscard]] std::size_t first_reader(const Replicas& replicas) const {
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            if (reads(plan_.steps[i], replicas.parameters.front())) return i;
        }
        return plan_.steps.size();
    }

    [[nodiscard]] bool reads(const Step& step, TensorId parameter) const {
        return std::any_of(step.inputs.begin(), step.inputs.end(), [&](VersionId input) {
            const Version& version = plan_.versions[input.index()];
            return !version.gradient && version.tensor == parameter;
        });
    }

    /// What a kernel that reads parameters waits for: of those that this body gathers one by one, its own
    /// alone (XLA, whose scheduler hides later gathers behind earlier kernels of a loop's body).
    void add_parameters(const Step& step, std::vector<ValueRef>& inputs) const {
        if (arrivals_.empty()) return inputs.push_back(parameters_);
        for (const auto& [parameter, arrival] : arrivals_) {
            if (reads(step, parameter)) inputs.push_back(arrival);
        }
    }

    ValueRef come(std::size_t block) {
        const Offloaded& offloaded = *states_[block].offloaded;
        const std::size_t item = writer_.add(offloaded.come, names().come,
                                             streams().of(graph::CopyDirection::to_device), {boundary_});
        writer_.allocate(item, offloaded.device);
        writer_.free(item, offloaded.host);
        return ValueRef::item(item);
    }

    std::size_t play(std::size_t index, graph::StreamId stream) {
        const Step& step = plan_.steps[index];
        std::vector<ValueRef> inputs;
        inputs.reserve(step.inputs.size() + 1);
        for (const VersionId version : step.inputs) {
            for (const VersionId part : memory(version)) inputs.push_back(value_[part.index()]);
        }
        if (step.reads_parameters) add_parameters(step, inputs);
        const std::size_t item =
            writer_.add(builder_.works_[index], builder_.names_[index], stream, std::move(inputs));
        item_of_.push_back(item);
        if (step.reads_parameters) last_parameter_ = item;
        for (const VersionId version : step.outputs) {
            value_[version.index()] = ValueRef::item(item);
            writer_.allocate(item, builder_.buffers_[version.index()]);
        }
        for (const VersionId version : step.updates) value_[version.index()] = ValueRef::item(item);
        if (const auto& workspace = builder_.workspaces_[index]) {
            writer_.allocate(item, *workspace);
            writer_.free(item, *workspace);
        }
        return item;
    }

    /// The output belongs to the next block, which may free it. If this block's backward pass needs it as
    /// well, it is allocated twice.
    void keep_exit_twice() {
        if (builder_.pass_ != BodyPass::forward || !plan_.exit) return;
        const VersionId exit = memory(*plan_.exit).front();
        const bool saved = std::any_of(plan_.saved.begin(), plan_.saved.end(),
                                       [&](VersionId version) { return memory(version).front() == exit; });
        if (saved) writer_.allocate(item_of_.back(), builder_.buffers_[exit.index()]);
    }

    [[nodiscard]] bool gathers_here(const Replicas& replicas) const {
        return replicas.gather && (builder_.pass_ == BodyPass::forward || replicas.gathered_in_backward);
    }

    /// The item after which gathered parameters are freed.
    [[nodiscard]] std::size_t last_reader(const Replicas& replicas) const {
        std::optional<std::size_t> last;
        for (std::size_t v = 0; replicas.is_single && v < plan_.versions.size(); ++v) {
            const Version& version = plan_.versions[v];
            const std::size_t step = builder_.last_use_[v];
            if (!version.gradient && version.tensor == replicas.parameters.front() && step != stays)
                last = std::max(last.value_or(0), item_of_[step]);
        }
        return last ? *last : last_parameter_ == stays ? item_of_.back() : last_parameter_;
    }

    [[nodiscard]] static bool lies_over(const ParameterGradient& gradient, const Replicas& replicas) {
        return std::find(replicas.parameters.begin(), replicas.parameters.end(), gradient.parameter) !=
               replicas.parameters.end();
    }

    /// The items that produce the gradients of these parameters (nullptr: of all).
    [[nodiscard]] std::vector<ValueRef> gradients_of(const Replicas* replicas) const {
        std::vector<ValueRef> ready;
        for (const ParameterGradient& gradient : plan_.gradients) {
            if (gradient.step == no_step) continue;  // produced by the other part of the pass
            if (replicas == nullptr || lies_over(gradient, *replicas))
                ready.push_back(ValueRef::item(item_of_[gradient.step]));
        }
        return ready;
    }

    /// The item that produces a gradient; the first item if the other part of the pass produced it.
    [[nodiscard]] std::size_t item_of(const ParameterGradient& gradient) const {
        return item_of_[gradient.step == no_step ? 0 : gradient.step];
    }

    /// Partial sums over tp are added before a block's gradients are reduced over dp, whose reduction would
    /// otherwise hold up all later communication over tp.
    void reduce_own() {
        if (variant_.waits_for_reduction) hold_unreduced();
        const ValueRef reduced_tp = variant_.reduces_tp ? reduce_tp(gradients_of(nullptr)) : ValueRef{};
        const bool reduces = variant_.reduces_dp && !variant_.reduced_later;
        reduction_ = reduces ? reduce_over_replicas(reduced_tp) : reduction_unchanged();
        if (variant_.reduced_later) return;
        std::vector<ValueRef> done = gradients_of(nullptr);
        done.insert(done.end(), {reduced_tp, reduction_, replicated_});
        send_gradients(own_, std::move(done));
    }

    /// Copies a block's gradients to the host, if that updates its parameters.
    void send_gradients(std::size_t block, std::vector<ValueRef> done) {
        if (variant_.sends_gradients && states_[block].send_gradients)
            writer_.add(*states_[block].send_gradients, names().send_gradients,
                        streams().of(graph::CopyDirection::to_host), std::move(done));
    }

    ValueRef reduce_tp(const std::vector<ValueRef>& ready) {
        return ValueRef::item(writer_.add_collective(states_[own_].reduce_tp, names().reduce, ready));
    }

    /// Adds one reduction for each set of parameters with the same replicas. If something waits for them,
    /// they run one after the other, so that the last one issued is the last to end.
    /// \returns the last one, or the previous reduction if there is none
    ValueRef reduce_over_replicas(ValueRef reduced_tp) {
        const bool waited_for = variant_.waits_for_reduction || variant_.sends_gradients;
        ValueRef last = variant_.waits_for_reduction ? reduction_before() : ValueRef::none();
        for (const Replicas* replicas : in_reduction_order()) {
            std::vector<ValueRef> ready = gradients_of(replicas);
            ready.push_back(reduced_tp);
            last = reduce(*replicas, waited_for ? last : ValueRef::none(), std::move(ready), last);
        }
        return last;
    }

    /// As the model declares them; where parameters arrive one by one as kernels read them, as their
    /// gradients are made.
    [[nodiscard]] std::vector<const Replicas*> in_reduction_order() const {
        std::vector<const Replicas*> order;
        for (const Replicas& replicas : states_[own_].replicas) order.push_back(&replicas);
        if (!arrivals_.empty()) {
            std::stable_sort(order.begin(), order.end(), [this](const Replicas* a, const Replicas* b) {
                return last_gradient(*a) < last_gradient(*b);
            });
        }
        return order;
    }

    /// The item that produces the last gradient of these parameters.
    [[nodiscard]] std::size_t last_gradient(const Replicas& replicas) const {
        std::size_t last = 0;
        for (const ParameterGradient& gradient : plan_.gradients) {
            if (lies_over(gradient, replicas)) last = std::max(last, item_of(gradient));
        }
        return last;
    }

    /// \param before  reduction that this one waits for
    /// \param ready   what it reads
    /// \param last    what is returned if there is no reduction
    ValueRef reduce(const Replicas& replicas, ValueRef before, std::vector<ValueRef> ready, ValueRef last) {
        if (replicas.reduce) {
            if (replicas.copy_in)
                ready = {ValueRef::item(writer_.add(*replicas.copy_in, names().copy_in, graph::compute_stream,
                                                    std::move(ready)))};
            last = ValueRef::item(
                writer_.add_behind(before, *replicas.reduce, names().reduce, std::move(ready)));
            ready = {last};
            if (variant_.waits_for_reduction && replicas.frees_when_reduced())
                writer_.free(last.index, replicas.unreduced);
        }
        if (replicas.replicate && variant_.reduces_replicas)
            replicated_ = ValueRef::item(
                writer_.add_collective(*replicas.replicate, names().replicate, std::move(ready)));
        return last;
    }

    /// Reduces the gradients of a block outside of layers, which are ready since its own body, when this
    /// block's kernels have ended: where it has none, when its input is there.
    void reduce_root() {
        const ValueRef ready = last_compute_ == stays ? boundary_ : ValueRef::item(last_compute_);
        replicated_ = {};
        for (const Replicas& replicas : states_[*variant_.root].replicas)
            reduction_ = reduce(replicas, reduction_, {ready}, reduction_);
        send_gradients(*variant_.root, {ready, reduction_, replicated_});
    }

    /// What later blocks wait for if this one reduces nothing.
    [[nodiscard]] ValueRef reduction_unchanged() const {
        return variant_.waits_for_reduction && variant_.reduced_later ? reduction_before() : ValueRef::none();
    }

    void copy_out(std::size_t block) {
        for (const Replicas& replicas : states_[block].replicas) {
            if (replicas.copy_out && gathers_here(replicas))
                writer_.add(*replicas.copy_out, names().copy_out, graph::compute_stream, {parameters_});
        }
    }

    /// Weight gradients have no output, but the host still runs ahead by at most one block. The last block of
    /// inference outputs the tokens that it has drawn.
    [[nodiscard]] ValueRef exit() const {
        if (plan_.exit) return value_[memory(*plan_.exit).front().index()];
        const bool paces = (builder_.pass_ == BodyPass::weight || plan_.loops) && last_compute_ != stays;
        return paces ? ValueRef::item(last_compute_) : ValueRef::none();
    }

    [[nodiscard]] ValueRef leave_before() const { return ValueRef::port(variant_.leave_port()); }
    [[nodiscard]] ValueRef reduction_before() const { return ValueRef::port(variant_.reduction_port()); }

    /// Whole gradients are allocated from the first of them until a later block has waited for their
    /// reduction, or, parameter by parameter, until each is reduced.
    void hold_unreduced() {
        if (!states_[own_].is_replicated()) return;
        for (const Replicas& replicas : states_[own_].replicas) {
            const auto first = std::find_if(
                plan_.gradients.begin(), plan_.gradients.end(),
                [&](const ParameterGradient& gradient) { return lies_over(gradient, replicas); });
            if (first != plan_.gradients.end()) writer_.allocate(item_of(*first), replicas.unreduced);
        }
        const std::size_t last = item_of(plan_.gradients.back());
        writer_.wait(last, reduction_before());
        if (!variant_.frees_unreduced) return;
        for (const Replicas& replicas : states_[*variant_.frees_unreduced].replicas) {
            if (!replicas.frees_when_reduced()) writer_.free(last, replicas.unreduced);
        }
    }

    const BodyBuilder& builder_;
    const PassPlan& plan_;
    const BodyVariant& variant_;
    std::size_t own_;
    const std::vector<BlockState>& states_;
    RegionWriter writer_;
    const ValueRef boundary_{ValueRef::port(0)};
    ValueRef parameters_;
    std::vector<std::pair<TensorId, ValueRef>> arrivals_;  ///< of its own parameters, gathered one by one
    ValueRef sent_for_;
    ValueRef activations_;  ///< saved values of the backward pass, fetched back from the host
    ValueRef called_;
    ValueRef left_;
    ValueRef launched_;
    ValueRef reduction_;
    ValueRef replicated_;                     ///< the last reduction of shards over their replicas
    std::vector<ValueRef> value_;             ///< by version
    std::vector<std::size_t> item_of_;        ///< by step
    std::vector<graph::BufferId> followers_;  ///< gathered parameters of a later block, allocated one by one
    std::size_t last_parameter_{stays};
    std::size_t last_compute_{stays};
};

graph::Region BodyBuilder::build(const BodyVariant& variant, std::size_t own,
                                 const std::vector<BlockState>& states, bool host_launches) const {
    Body body(*this, variant, own, states);
    if (!variant.gathers_last) body.send_for_parameters();
    body.gather_own();
    body.call_activations();
    if (host_launches) body.launch_kernels();
    body.copy_parameters();
    body.play_steps();
    body.free_values();
    body.send_activations();
    body.reduce_gradients();
    if (variant.gathers_last) body.send_for_parameters();
    return body.finish();
}

}  // namespace dse::frontend
