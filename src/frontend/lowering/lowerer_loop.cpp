#include <algorithm>
#include <optional>

#include "dse/base/check.hpp"
#include "lowerer.hpp"

namespace dse::frontend {

using graph::Item;
using graph::MemoryKind;
using graph::ValueRef;
using ir::Operation;

graph::CountId Lowerer::count_of(const Operation& operation) {
    const auto* loop = program_.attribute_if<ir::Loop>(operation);
    const bool known = loop != nullptr && loop->trip_count.has_value();
    if (!known) ++lowered_.loops_without_count;
    const std::int64_t count = known ? std::max<std::int64_t>(0, *loop->trip_count) : 1;
    const auto found = std::find(counts_.begin(), counts_.end(), count);
    if (found != counts_.end()) return graph::CountId{static_cast<std::size_t>(found - counts_.begin())};
    counts_.push_back(count);
    return graph::CountId{counts_.size() - 1};
}

/// The arguments of the body: each is a candidate for a port and overwrites its initial value.
Lowerer::Values Lowerer::state_of_loop(const Leaves& inits, const Operation& operation) {
    std::vector<ir::TypeId> types;
    for (const ir::ValueId operand : program_.operands(operation)) {
        const auto more = leaf_types(program_, program_.type_of(operand));
        types.insert(types.end(), more.begin(), more.end());
    }
    Leaves state;
    for (std::size_t i = 0; i < inits.size(); ++i) {
        Leaf leaf{frame().candidate(inits[i]), frame().level(), every_stream, inits[i].memory};
        if (i < types.size())
            leaf.memory =
                lifetimes_.make_over(inits[i].memory, frame().level() - 1,
                                     Bytes{program_.types.bytes(types[i])}, MemoryKind::activations);
        state.push_back(leaf);
    }
    Values arguments;
    auto next = state.begin();
    for (const ir::ValueId operand : program_.operands(operation)) {
        const auto count = static_cast<std::ptrdiff_t>(values_[operand].size());
        arguments.emplace_back(next, next + count);
        next += count;
    }
    return arguments;
}

void Lowerer::play_loop(const Operation& operation) {
    const auto called = program_.called(operation);
    DSE_REQUIRE(called.size() == 2);  // condition, body
    Leaves inits = values_.operand_leaves(operation);
    for (Leaf& init : inits) {
        init.ref = reach(init);
        init.level = frame().level();
    }
    // Regions of MLIR have no names.
    const std::string_view body = program_.text(program_[called[1]].name);
    open_frame(std::string{body.empty() ? label_of(operation) : body});
    const Values arguments = state_of_loop(inits, operation);
    const Values results = play(called[1], arguments);
    finish_loop(operation, inits, joined(arguments), results);
}

/// Allocates the buffers of the states that the loop writes. \return flags of these states
std::vector<char> Lowerer::allocate_states(const Leaves& inits, const Leaves& state, const Leaves& next) {
    std::vector<char> written(inits.size(), 0);
    std::optional<std::size_t> item;
    for (std::size_t i = 0; i < inits.size(); ++i) {
        written[i] = next[i].memory != state[i].memory || next[i].ref != state[i].ref ? 1 : 0;
        if (written[i] == 0 || state[i].memory == inits[i].memory) continue;
        if (!item) {
            Item allocation;
            allocation.work = marker_;
            item = frame().add(std::move(allocation));
        }
        lifetimes_.use(inits[i].memory, frame().level(), *item);
        lifetimes_.allocate(state[i].memory, *item);
    }
    return written;
}

void Lowerer::finish_loop(const Operation& operation, const Leaves& inits, const Leaves& state,
                          const Values& results) {
    const Leaves next = joined(results);
    DSE_REQUIRE(next.size() == inits.size());
    std::vector<char> replaced(inits.size(), 0);
    for (std::size_t i = 0; i < inits.size(); ++i) {
        Leaf out = next[i];
        out.ref = reach(out);
        frame().output(i, out);
        replaced[i] = out.memory != state[i].memory ? 1 : 0;
        // The inputs of the next iteration are kept until this one ends.
        if (replaced[i] != 0) lifetimes_.keep(out.memory, frame().level());
    }
    close_frame();
    FinishedFrame body = frame().finish_body();
    frames_.pop_back();

    const std::vector<char> written = allocate_states(inits, state, next);
    Item repeat;
    repeat.kind = Item::Kind::repeat;
    repeat.count = count_of(operation);
    repeat.body = graph::RegionId{lowered_.graph.regions.size()};
    for (const Leaf& input : body.inputs) repeat.inputs.push_back(reach(input));
    lowered_.graph.regions.push_back(std::move(body.region));
    const std::size_t item = frame().add(std::move(repeat));
    lifetimes_.loop_added(frame().level(), item);

    Leaves leaves;
    for (std::size_t i = 0; i < inits.size(); ++i) {
        const PortFate& fate = body.fates[i];
        Leaf leaf = inits[i];
        if (written[i] != 0) leaf.memory = state[i].memory;
        if (!fate.unchanged) {
            const auto port = fate.port ? fate.port : body.kernels_done;
            leaf.ref = port ? ValueRef::item(item, *port) : ValueRef::none();
            leaf.streams = port ? body.streams[*port] : 0;
        }
        leaf.level = frame().level();
        leaves.push_back(leaf);
        use_memory(leaf);
    }
    if (body.kernels_done) frame().kernels_done(ValueRef::item(item, *body.kernels_done));
    values_.set_results(operation, leaves);
}

}  // namespace dse::frontend
