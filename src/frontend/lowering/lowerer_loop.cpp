#include <algorithm>

#include "dse/base/check.hpp"
#include "lowerer.hpp"

namespace dse::frontend {

using ir::Operation;
using workload::Item;
using workload::MemoryKind;
using workload::ValueRef;

namespace {

Leaves joined(const std::vector<Leaves>& values) {
    Leaves result;
    for (const Leaves& leaves : values) result.insert(result.end(), leaves.begin(), leaves.end());
    return result;
}

}  // namespace

workload::CountId Lowerer::count_of(const Operation& operation) {
    const auto* loop = program_.attribute_if<ir::Loop>(operation);
    const bool known = loop != nullptr && loop->trip_count.has_value();
    if (!known) ++lowered_.loops_without_count;
    const std::int64_t count = known ? std::max<std::int64_t>(0, *loop->trip_count) : 1;
    const auto found = std::find(counts_.begin(), counts_.end(), count);
    if (found != counts_.end()) return workload::CountId{static_cast<std::size_t>(found - counts_.begin())};
    counts_.push_back(count);
    return workload::CountId{counts_.size() - 1};
}

/// The arguments of the body: a candidate for a port each, in the buffer of what came in.
Lowerer::Values Lowerer::state_of_loop(const Leaves& inits, const Operation& operation) {
    std::vector<ir::TypeId> types;
    for (const ir::ValueId operand : program_.operands(operation))
        leaf_types(program_.type_of(operand), types);
    Leaves state;
    for (std::size_t i = 0; i < inits.size(); ++i) {
        Leaf leaf{frame().candidate(inits[i]), frame().level(), every_stream, inits[i].memory};
        if (leaf.memory == no_memory && i < types.size())
            leaf.memory = lifetimes_.make(frame().level() - 1, Bytes{program_.types.bytes(types[i])},
                                          MemoryKind::activations);
        state.push_back(leaf);
    }
    Values arguments;
    auto next = state.begin();
    for (const ir::ValueId operand : program_.operands(operation)) {
        const auto count = static_cast<std::ptrdiff_t>(values_[operand.index()].size());
        arguments.emplace_back(next, next + count);
        next += count;
    }
    return arguments;
}

void Lowerer::play_loop(const Operation& operation) {
    const auto called = program_.called(operation);
    DSE_REQUIRE(called.size() == 2);  // condition, body
    Leaves inits = operand_leaves(operation);
    for (Leaf& init : inits) {
        init.ref = reach(init);
        init.level = frame().level();
    }
    open_frame(std::string{program_.text(program_[called[1]].name)});
    const Values arguments = state_of_loop(inits, operation);
    const Values results = play(called[1], arguments);
    finish_loop(operation, inits, joined(arguments), results);
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
        // What the next iteration starts with is there until this one ends.
        if (replaced[i] != 0) lifetimes_.keep(out.memory, frame().level());
    }
    close_frame();
    FinishedFrame body = frame().finish_body();
    frames_.pop_back();

    // A state that comes from no operation has its buffer from here on.
    for (std::size_t i = 0; i < inits.size(); ++i) {
        const bool written = replaced[i] != 0 || next[i].ref != state[i].ref;
        if (state[i].memory == no_memory || inits[i].memory != no_memory || !written) continue;
        Item allocation;
        allocation.work = marker_;
        lifetimes_.allocate(state[i].memory, frame().add(std::move(allocation)));
    }
    Item repeat;
    repeat.kind = Item::Kind::repeat;
    repeat.count = count_of(operation);
    repeat.body = workload::RegionId{lowered_.graph.regions.size()};
    for (const Leaf& input : body.inputs) repeat.inputs.push_back(reach(input));
    lowered_.graph.regions.push_back(std::move(body.region));
    const std::size_t item = frame().add(std::move(repeat));
    lifetimes_.loop_added(frame().level(), item);

    Leaves leaves;
    for (std::size_t i = 0; i < inits.size(); ++i) {
        const PortFate& fate = body.fates[i];
        Leaf leaf = inits[i];
        leaf.memory = state[i].memory;
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
    set_results(operation, leaves);
}

}  // namespace dse::frontend
