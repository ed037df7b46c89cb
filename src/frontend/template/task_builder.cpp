#include "task_builder.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "region_writer.hpp"

namespace dse::frontend {
namespace {

using graph::Item;
using graph::RegionId;
using graph::ValueRef;

/// The units of a task as one row of blocks with consecutive positions.
class Row {
  public:
    explicit Row(const std::vector<Unit>& units) : units_{units} {
        for (const Unit& unit : units) ends_.push_back((ends_.empty() ? 0 : ends_.back()) + unit.count);
    }

    [[nodiscard]] std::int64_t size() const { return ends_.back(); }
    [[nodiscard]] const std::vector<std::int64_t>& ends() const { return ends_; }
    [[nodiscard]] std::size_t block(std::int64_t position) const {
        const auto end = std::upper_bound(ends_.begin(), ends_.end(), position);
        return units_[static_cast<std::size_t>(end - ends_.begin())].block;
    }

  private:
    const std::vector<Unit>& units_;
    std::vector<std::int64_t> ends_;  ///< by unit: the position after its last block
};

}  // namespace

/// The region of one task under construction.
class TaskBuilder::Task {
  public:
    Task(TaskBuilder& builder, const std::vector<Unit>& units, const TaskKind& kind)
        : builder_{builder},
          units_{units},
          row_{units},
          kind_{kind},
          base_{builder.variant_of(kind)},
          ahead_{base_.gather_ports},
          writer_{builder.structure_} {
        constexpr std::array<std::string_view, 4> names{"forward", "backward", "input gradients",
                                                        "weight gradients"};
        writer_.region.name = fmt::format("{}{}{}", names[static_cast<std::size_t>(kind.pass)],
                                          kind.first ? " first" : "", kind.last ? " last" : "");
        // All copies of a microbatch to the host end before the first one back starts.
        writer_.region.ports = base_.come_ports > 0 ? 2 : 1;
    }

    RegionId make(graph::StageProgram& program) {
        add_enter();
        start_values();
        std::int64_t position = 0;
        for (const std::int64_t next : cuts()) {
            add_repeat(position, next, program);
            position = next;
        }
        reduce_maxima();
        writer_.region.outputs = {values_.front()};
        if (base_.waits_for_leave) writer_.region.outputs.push_back(values_[base_.leave_port()]);
        add_exit();
        return builder_.structure_.add_region(std::move(writer_.region));
    }

  private:
    /// Initializes the values passed from body to body: boundary, gathers in flight, activation copies in
    /// flight, previous copy to the host, previous reduction.
    void start_values() {
        values_ = {ValueRef::port(0)};
        ValueRef root;
        if (kind_.pass == BodyPass::forward) {
            for (const Unit& unit : units_) {
                if (is_root(unit.block)) root = add_gather(unit.block);
            }
        }
        for (std::int64_t i = 0; i < ahead_; ++i) {
            const bool gathers = i < row_.size() && gathered_ahead(row_.block(i));
            values_.push_back(gathers ? add_gather(row_.block(i)) : i == 0 ? root : ValueRef::none());
        }
        for (std::int64_t i = 0; i < base_.come_ports; ++i) {
            const bool comes = i < row_.size() && is_offloaded(row_.block(i));
            values_.push_back(comes ? add_come(row_.block(i)) : ValueRef::none());
        }
        if (base_.waits_for_leave) values_.push_back(ValueRef::none());
        if (base_.waits_for_reduction) values_.push_back(ValueRef::none());
    }

    /// Positions at which a row of equal bodies ends, including the end of the task.
    [[nodiscard]] std::vector<std::int64_t> cuts() const {
        std::set<std::int64_t> positions;
        for (const std::int64_t end : row_.ends()) {
            positions.insert(end);
            positions.insert(end - ahead_);
            positions.insert(end - base_.come_ports);
            positions.insert(end + 1);
        }
        positions.insert(1);
        positions.insert(row_.size() - 1);
        std::vector<std::int64_t> result;
        for (const std::int64_t position : positions) {
            if (position < 1 || position > row_.size()) continue;
            if (position < row_.size() && same_body(position - 1, position)) continue;
            result.push_back(position);
        }
        return result;
    }

    [[nodiscard]] bool same_body(std::int64_t a, std::int64_t b) const {
        return row_.block(a) == row_.block(b) && variant_at(a) == variant_at(b);
    }

    [[nodiscard]] bool is_offloaded(std::size_t block) const {
        return builder_.states_[block].offloaded.has_value();
    }

    [[nodiscard]] bool has_gradients(std::size_t block) const {
        return !builder_.plans_[block].backward.gradients.empty() && builder_.states_[block].is_replicated();
    }

    /// Whether a block's pass uses parameters. The input part of an embedding's backward pass has no steps,
    /// nor has that pass of a frozen embedding.
    [[nodiscard]] bool needs_parameters(std::size_t block) const {
        const BlockPlans& plans = builder_.plans_[block];
        const bool idle = (kind_.pass == BodyPass::input && plans.input.steps.empty()) ||
                          (kind_.pass == BodyPass::backward && plans.backward.steps.empty());
        return builder_.states_[block].is_replicated() && !idle;
    }

    /// Whether a block lies outside of layers, so that it is gathered and reduced around the whole pass.
    [[nodiscard]] bool is_root(std::size_t block) const {
        const Block& own = builder_.blocks_[block];
        return builder_.options_.gathers_root && (!own.input || !own.output) &&
               builder_.states_[block].is_replicated();
    }

    [[nodiscard]] bool gathered_ahead(std::size_t block) const {
        return needs_parameters(block) && !is_root(block);
    }

    /// The block outside of layers that is not at a position, if it is this position that stands for it: the
    /// first one of a forward pass, the last one of a backward pass.
    [[nodiscard]] std::optional<std::size_t> root_at(std::int64_t position) const {
        if (position != (kind_.pass == BodyPass::forward ? 0 : row_.size() - 1)) return std::nullopt;
        for (const Unit& unit : units_) {
            if (is_root(unit.block) && unit.block != row_.block(position)) return unit.block;
        }
        return std::nullopt;
    }

    /// Whether the gradients at a position are reduced at the end of the pass.
    [[nodiscard]] bool reduced_later(std::int64_t position) const {
        return is_root(row_.block(position)) && position != row_.size() - 1;
    }

    /// The last block up to a position whose gradients are being reduced.
    [[nodiscard]] std::optional<std::size_t> reducing(std::int64_t position) const {
        for (; position >= 0; --position) {
            const std::size_t block = row_.block(position);
            if (has_gradients(block) && !reduced_later(position)) return block;
        }
        return std::nullopt;
    }

    [[nodiscard]] BodyVariant variant_at(std::int64_t position) const {
        const std::vector<BlockState>& states = builder_.states_;
        const std::size_t block = row_.block(position);
        BodyVariant variant = base_;
        if (ahead_ > 0 && position + ahead_ < row_.size()) {
            const std::size_t next = row_.block(position + ahead_);
            if (gathered_ahead(next)) variant.gathers = next;
        }
        variant.gathers_own = base_.gathers_own && needs_parameters(block);
        const bool forward = kind_.pass == BodyPass::forward;
        const bool is_kept = is_root(block);
        variant.copies_own =
            base_.allocates_gathered && needs_parameters(block) && (!is_kept || (forward && position == 0));
        if (is_kept) variant.frees_gathered = false;
        if (forward || base_.reduces_dp) variant.root = root_at(position);
        variant.reduced_later = base_.reduces_dp && reduced_later(position);
        variant.reduces_tp = base_.reduces_tp && states[block].reduces_tp;
        if (base_.come_ports > 0 && position + base_.come_ports < row_.size()) {
            const std::size_t next = row_.block(position + base_.come_ports);
            if (is_offloaded(next)) variant.comes = next;
        }
        if (base_.waits_for_leave && position > 0 && is_offloaded(row_.block(position - 1)))
            variant.frees_left = row_.block(position - 1);
        if (base_.waits_for_reduction && has_gradients(block))
            variant.frees_unreduced = reducing(position - 1);
        return variant;
    }

    void add_repeat(std::int64_t begin, std::int64_t end, graph::StageProgram& program) {
        Item repeat;
        repeat.kind = Item::Kind::repeat;
        repeat.body = builder_.body(row_.block(begin), kind_.pass, variant_at(begin));
        repeat.count = graph::CountId(program.counts.size());
        program.counts.push_back(end - begin);
        repeat.inputs = values_;
        items().push_back(std::move(repeat));
        for (std::size_t v = 0; v < values_.size(); ++v) values_[v] = ValueRef::item(items().size() - 1, v);
    }

    /// The devices' next pass waits for it. The host launches its kernels after those of the last block.
    void reduce_maxima() {
        if (!builder_.options_.reduces_maxima || kind_.pass == BodyPass::weight) return;
        std::vector<ValueRef> inputs{values_.front()};
        if (builder_.options_.host_launches) {
            const graph::NameId launch = builder_.structure_.add_name("launch all_reduce maxima");
            inputs.push_back(
                ValueRef::item(writer_.add(builder_.launch_maxima_, launch, host(), {ValueRef::port(0)})));
        }
        writer_.add_collective(builder_.maxima_, builder_.structure_.add_name("all_reduce maxima"),
                               std::move(inputs));
    }

    [[nodiscard]] bool receives() const {
        const Block& first = builder_.blocks_[units_.front().block];
        if (kind_.pass == BodyPass::weight) return false;
        return kind_.pass == BodyPass::forward ? first.input.has_value() : first.output.has_value();
    }
    [[nodiscard]] bool sends() const {
        const Block& last = builder_.blocks_[units_.back().block];
        if (kind_.pass == BodyPass::weight) return false;
        return kind_.pass == BodyPass::forward ? last.output.has_value() : last.input.has_value();
    }

    /// Allocates the buffer of an incoming message, which the host asks for.
    void add_enter() {
        if (!receives()) return;
        add_marker({builder_.boundary_}, {}, true);
        if (builder_.options_.host_waits) items().back().inputs = {ValueRef::port(0)};
    }

    /// Frees the buffer of the outgoing message, that of the forward pass if it was kept, and the gradients
    /// that nothing in this task waits for.
    void add_exit() {
        std::vector<graph::BufferId> frees;
        const bool keeps = builder_.options_.keeps_outputs;
        const bool is_forward = kind_.pass == BodyPass::forward;
        if (sends() && !(keeps && is_forward)) frees.push_back(builder_.boundary_);
        if (keeps && !is_forward && receives()) frees.push_back(builder_.boundary_);
        if (base_.waits_for_reduction) {
            for (const auto& block : {reducing(row_.size() - 1), root_at(row_.size() - 1)}) {
                if (!block || !has_gradients(*block)) continue;
                for (const Replicas& replicas : builder_.states_[*block].replicas) {
                    if (!replicas.frees_when_reduced()) frees.push_back(replicas.unreduced);
                }
            }
        }
        if (kind_.pass == BodyPass::backward) {
            for (const Unit& unit : units_) {
                if (!is_root(unit.block)) continue;
                for (const Replicas& replicas : builder_.states_[unit.block].replicas) {
                    if (replicas.gather) frees.push_back(replicas.gathered);
                }
            }
        }
        if (base_.waits_for_leave && is_offloaded(row_.block(row_.size() - 1)))
            frees.push_back(builder_.states_[row_.block(row_.size() - 1)].offloaded->device);
        if (frees.empty() && !sends()) return;
        add_marker({}, std::move(frees), sends());
        if (builder_.options_.host_waits && sends()) items().back().inputs = {writer_.region.outputs.front()};
    }

    void add_marker(std::vector<graph::BufferId> allocates, std::vector<graph::BufferId> frees,
                    bool of_message) {
        const bool launches = of_message && builder_.options_.host_launches;
        writer_.add(launches ? builder_.launch_message_ : builder_.nothing_, {}, host());
        items().back().allocates = std::move(allocates);
        items().back().frees = std::move(frees);
    }

    [[nodiscard]] graph::StreamId host() const { return builder_.structure_.streams.host(); }
    [[nodiscard]] std::vector<Item>& items() { return writer_.region.items; }

    ValueRef add_come(std::size_t block) {
        const Offloaded& offloaded = *builder_.states_[block].offloaded;
        const std::size_t come =
            writer_.add(offloaded.come, {}, builder_.structure_.streams.of(graph::CopyDirection::to_device),
                        {ValueRef::port(0), ValueRef::port(1)});
        writer_.allocate(come, offloaded.device);
        writer_.free(come, offloaded.host);
        return ValueRef::item(come);
    }

    /// The gathers run one after the other, so that all are complete when the last one is.
    ValueRef add_gather(std::size_t block) {
        ValueRef last;
        for (const Replicas& replicas : builder_.states_[block].replicas) {
            if (!replicas.gather || (kind_.pass != BodyPass::forward && !replicas.gathered_in_backward))
                continue;
            const std::size_t gather = writer_.add_behind(last, *replicas.gather, {});
            writer_.allocate(gather, replicas.gathered);
            last = ValueRef::item(gather);
        }
        return last;
    }

    TaskBuilder& builder_;
    const std::vector<Unit>& units_;
    Row row_;
    TaskKind kind_;
    BodyVariant base_;
    std::int64_t ahead_;
    RegionWriter writer_;
    std::vector<ValueRef> values_;
};

TaskBuilder::TaskBuilder(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                         const std::vector<BlockState>& states, const TaskOptions& options,
                         Structure& structure)
    : blocks_{blocks}, plans_{plans}, states_{states}, options_{options}, structure_{structure} {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto add = [&](BodyPass pass, const PassPlan& plan) {
            builders_[static_cast<std::size_t>(pass)].emplace_back(blocks[i], plan, pass, structure);
        };
        add(BodyPass::forward, plans[i].forward);
        if (options.forward_only) continue;
        if (options.splits_backward) {
            add(BodyPass::input, plans[i].input);
            add(BodyPass::weight, plans[i].weight);
        }
        if (!options.splits_backward || options.has_whole_backward)
            add(BodyPass::backward, plans[i].backward);
    }
}

RegionId TaskBuilder::make(const std::vector<Unit>& units, const TaskKind& kind,
                           graph::StageProgram& program) {
    return Task(*this, units, kind).make(program);
}

BodyVariant TaskBuilder::variant_of(const TaskKind& kind) const {
    BodyVariant variant;
    if (kind.pass == BodyPass::weight) {
        // It reads no parameters.
    } else if (options_.zero == 3) {
        if (options_.reshards || (kind.pass == BodyPass::forward && kind.first)) {
            variant.gather_ports = static_cast<std::uint16_t>(options_.prefetch);
            variant.gathers_own = options_.prefetch == 0;
            variant.gather_after_entry = true;
            variant.allocates_gathered = true;
        }
        variant.frees_gathered = options_.reshards || (kind.pass != BodyPass::forward && kind.last);
        variant.holds_gathered = !options_.reshards;
    } else if (kind.first) {
        variant.gathers_own = !options_.gathers_early;
    }
    const bool offloads = std::any_of(states_.begin(), states_.end(),
                                      [](const BlockState& state) { return state.offloaded.has_value(); });
    variant.waits_for_leave = offloads && kind.pass == BodyPass::forward;
    if (offloads && (kind.pass == BodyPass::backward || kind.pass == BodyPass::input)) {
        variant.come_ports = static_cast<std::uint16_t>(options_.offload_prefetch);
    }
    if (kind.pass == BodyPass::backward || kind.pass == BodyPass::weight) {
        variant.sends_gradients = options_.sends_gradients && kind.last;
        variant.waits_for_reduction = options_.zero >= 2 && !options_.accumulates_whole;
        variant.reduces_dp =
            options_.data_parallel && !options_.reduces_late && (kind.last || variant.waits_for_reduction);
        // Set only if needed, so that bodies of the last microbatch can otherwise be shared.
        variant.reduces_replicas = variant.reduces_dp && kind.last && adds_shards();
        // What is reduced over dp in every microbatch is no partial sum by then: PyTorch 2.6,
        // torch/distributed/fsdp/_fully_shard/_fsdp_param.py (_get_grad_inner_tensor).
        variant.reduces_tp = kind.last || variant.reduces_dp;
    }
    variant.gathers_last = options_.gathers_last && variant.gather_ports > 0 && variant.reduces_dp;
    return variant;
}

/// Whether shards of gradients are reduced over their replicas.
bool TaskBuilder::adds_shards() const {
    return std::any_of(states_.begin(), states_.end(), [](const BlockState& state) {
        return std::any_of(state.replicas.begin(), state.replicas.end(),
                           [](const Replicas& replicas) { return replicas.replicate.has_value(); });
    });
}

RegionId TaskBuilder::body(std::size_t block, BodyPass pass, const BodyVariant& variant) {
    for (const Known& known : known_) {
        if (known.block == block && known.pass == pass && known.variant == variant) return known.region;
    }
    const BodyBuilder& builder = builders_[static_cast<std::size_t>(pass)][block];
    const RegionId region =
        structure_.add_region(builder.build(variant, block, states_, options_.host_launches));
    known_.push_back({block, pass, variant, region});
    return region;
}

}  // namespace dse::frontend
