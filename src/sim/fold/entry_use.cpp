#include "dse/sim/fold/entry_use.hpp"

#include <algorithm>

namespace dse::sim::fold {

using graph::Item;
using graph::Region;
using graph::ValueRef;

namespace {

/// Goes through a region item by item and records how it uses its entry state.
class Walk {
  public:
    Walk(EntryUse& use, std::vector<std::uint64_t>& late_values) : use_{use}, late_values_{late_values} {
        late_values_.clear();
        use_.late_streams = bit(graph::compute_stream.index());
    }

    void node(const Item& item, bool occupies_compute) {
        const std::size_t stream = item.stream.index();
        const bool on_compute = item.stream == graph::compute_stream;
        if (occupies_compute) begin(on_compute, item.inputs);
        if (is_fresh(stream)) {
            for (const ValueRef input : item.inputs) guard(stream, input);
        }
        bool late = occupies_compute || (use_.late_streams & bit(stream)) != 0;
        for (const ValueRef input : item.inputs) late = late || is_late(input);
        use_.used_streams |= bit(stream) | (occupies_compute ? bit(graph::compute_stream.index()) : 0);
        for (const ValueRef input : item.inputs) {
            if (input.source != ValueRef::Source::port) continue;
            use_.used_ports |= bit(input.index);
            if (!late) use_.early_ports |= bit(input.index);
        }
        if (late) {
            use_.late_streams |= bit(stream);
        } else {
            use_.early_streams |= bit(stream);
        }
        late_values_.push_back(late ? 1 : 0);
    }

    /// Kernels lose time beside a node: the compute stream is used, without waiting for anything.
    void loss() {
        begun_ = true;
        use_.used_streams |= bit(graph::compute_stream.index());
    }

    void repeat(const Item& item, const EntryUse& body) {
        begin_in(item, body);
        for (std::size_t s = 0; s < EntryUse::most_guarded; ++s) {
            if (!is_fresh(s)) continue;
            for (std::size_t k = 0; k < std::min(item.inputs.size(), EntryUse::most_guarded); ++k) {
                if ((body.guards[s] >> k & 1U) != 0) guard(s, item.inputs[k]);
            }
        }
        use_.used_streams |= body.used_streams;
        use_.early_streams |= body.early_streams & ~use_.late_streams;
        use_.late_streams |= body.late_streams & body.used_streams;
        for (std::size_t k = 0; k < item.inputs.size(); ++k) {
            const ValueRef input = item.inputs[k];
            if (input.source != ValueRef::Source::port || (body.used_ports & bit(k)) == 0) continue;
            use_.used_ports |= bit(input.index);
            if ((body.early_ports & bit(k)) != 0) use_.early_ports |= bit(input.index);
        }
        late_values_.push_back(body.late_outputs);
    }

    /// A repeat with count 0 passes its inputs through.
    void skip(const Item& item) {
        std::uint64_t late = 0;
        for (std::size_t k = 0; k < item.inputs.size(); ++k) {
            leave(item.inputs[k]);
            if (is_late(item.inputs[k])) late |= bit(k);
        }
        late_values_.push_back(late);
    }

    void output(std::size_t k, ValueRef value) {
        leave(value);
        if (is_late(value)) use_.late_outputs |= bit(k);
    }

  private:
    [[nodiscard]] bool is_late(ValueRef value) const {
        return value.source == ValueRef::Source::item && (late_values_[value.index] & bit(value.output)) != 0;
    }

    [[nodiscard]] bool is_fresh(std::size_t stream) const {
        return stream < EntryUse::most_guarded && (use_.used_streams & bit(stream)) == 0;
    }

    void guard(std::size_t stream, ValueRef input) {
        if (input.source != ValueRef::Source::port || input.index >= EntryUse::most_guarded) return;
        use_.guards[stream] = static_cast<std::uint8_t>(use_.guards[stream] | bit(input.index));
    }

    /// The time of a port that is passed through matters even if it is before the entry.
    void leave(ValueRef value) {
        if (value.source != ValueRef::Source::port) return;
        use_.used_ports |= bit(value.index);
        use_.early_ports |= bit(value.index);
    }

    void begin(bool on_compute, const std::vector<ValueRef>& inputs) {
        if (begun_) return;
        begun_ = true;
        use_.begins_with_ports = on_compute;
        for (const ValueRef input : inputs) first_input(input);
    }

    void begin_in(const Item& item, const EntryUse& body) {
        if (begun_ || (body.used_streams & bit(graph::compute_stream.index())) == 0) return;
        begun_ = true;
        use_.begins_with_ports = body.begins_with_ports;
        for (std::size_t i = 0; i < body.first_port_count; ++i) first_input(item.inputs[body.first_ports[i]]);
    }

    void first_input(ValueRef input) {
        if (input.source == ValueRef::Source::none) return;
        if (input.source == ValueRef::Source::item || use_.first_port_count == use_.first_ports.size()) {
            use_.begins_with_ports = false;
        } else {
            use_.first_ports[use_.first_port_count++] = static_cast<std::uint8_t>(input.index);
        }
    }

    EntryUse& use_;
    std::vector<std::uint64_t>& late_values_;
    bool begun_{false};
};

}  // namespace

void EntryUses::reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table) {
    graph_ = &graph;
    durations_ = &durations;
    table_ = &table;
    if (uses_.size() < table.slots()) uses_.resize(table.slots());
    changes_.read(graph, durations);
}

const EntryUse& EntryUses::of(graph::RegionId region, std::uint32_t program) {
    EntryUse& use = uses_[table_->slot(region, program)];
    if (use.checked == changes_.now()) return use;
    if (changes_.have_changed(region, program, use.since))
        build(graph_->regions[region.index()], program, use);
    use.checked = changes_.now();
    return use;
}

void EntryUses::build(const Region& region, std::uint32_t program, EntryUse& use) {
    const std::vector<std::int64_t>& counts = graph_->programs[program].counts;
    for (const Item& item : region.items) {
        if (item.kind == Item::Kind::repeat && counts[item.count.index()] > 0) of(item.body, program);
    }
    use = EntryUse{};
    use.since = changes_.now();
    Walk walk{use, late_values_};
    for (const Item& item : region.items) {
        if (item.kind == Item::Kind::node) {
            const NodeTime& time = durations_->of_work[item.work.index()];
            const bool holds = hold_of(time, item.stream) > 0;
            walk.node(item, holds || item.stream == graph::compute_stream);
            if (lost_of(time, item.stream) > 0) walk.loss();
        } else if (counts[item.count.index()] > 0) {
            walk.repeat(item, of(item.body, program));
        } else {
            walk.skip(item);
        }
    }
    for (std::size_t k = 0; k < region.outputs.size(); ++k) walk.output(k, region.outputs[k]);
}

}  // namespace dse::sim::fold
