#include "lowerer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "frontend/lowering/collective_call.hpp"
#include "host_memory.hpp"
#include "in_place.hpp"

namespace dse::frontend {

using graph::Item;
using graph::MemoryKind;
using graph::StreamId;
using graph::ValueRef;
using ir::Opcode;
using ir::Operation;
using ir::Program;
using ir::ValueId;

Lowered lower(const Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign) {
    if (!program.partitioned && program.devices() > 1)
        throw ModelError(fmt::format("'{}' is sharded over {} devices, but not yet partitioned", program.name,
                                     program.devices()));
    return Lowerer{program, options, foreign}.run();
}

Lowerer::Lowerer(const Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign)
    : program_{program},
      options_{options},
      kernels_{program, foreign, options.fp32_products},
      tables_{lowered_.graph},
      groups_{program},
      values_{program},
      branches_{program, kernels_},
      streams_{options.queues} {}

Lowered Lowerer::run() {
    lowered_.graph.mesh = groups_.mesh();
    marker_ = tables_.work(graph::Launch{0.0});
    open_frame(std::string{program_.text(program_[program_.entry].name)});
    const ir::Computation& entry = program_[program_.entry];
    Values arguments;
    for (const ValueId argument : entry.arguments)
        arguments.emplace_back(program_.types.leaves(program_.type_of(argument)));
    const Values results = play(program_.entry, arguments);
    finish_graph(results);
    return std::move(lowered_);
}

// ---- values ------------------------------------------------------------------------------------------

Leaf Lowerer::made_by(ValueRef ref, StreamId stream) {
    return {ref, frame().level(), only(stream), no_memory};
}

MemoryId Lowerer::memory_in_place(const Operation& operation) const {
    const auto operand = operand_written_over(program_, operation);
    if (!operand) return no_memory;
    const Leaves& leaves = values_[program_.operands(operation)[*operand]];
    return leaves.empty() ? no_memory : leaves.front().memory;
}

Leaves Lowerer::make_results(const Operation& operation, ValueRef made, StreamId stream, MemoryKind kind) {
    const MemoryId in_place = memory_in_place(operation);
    Leaves leaves;
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        for (const ir::TypeId type : leaf_types(program_, program_.type_of(Program::result(operation, i)))) {
            Leaf leaf = made_by(made, stream);
            leaf.memory = lifetimes_.make_over(in_place, frame().level(), Bytes{program_.types.bytes(type)},
                                               kind_of(type, kind));
            if (leaf.memory != in_place) lifetimes_.allocate(leaf.memory, frame().size() - 1);
            leaves.push_back(leaf);
        }
    }
    return leaves;
}

// ---- nodes -------------------------------------------------------------------------------------------

/// A leaf's value in the current region, passed through ports of all regions in between.
ValueRef Lowerer::reach(const Leaf& leaf) {
    if (leaf.ref.source == ValueRef::Source::none) return leaf.ref;
    Leaf inner = leaf;
    for (std::uint32_t level = leaf.level + 1; level < frames_.size(); ++level) {
        inner.ref = frames_[level].captured(inner);
        inner.level = level;
    }
    return inner.ref;
}

void Lowerer::use_memory(const Leaf& leaf) {
    lifetimes_.use(leaf.memory, frame().level(), frame().size());
}

ValueRef Lowerer::add_node(const Node& node, const Leaves& inputs) {
    Item item;
    item.work = tables_.work(node.work);
    item.stream = node.stream;
    item.name = node.name;
    const auto add_input = [&](ValueRef ref) {
        const bool known = std::find(item.inputs.begin(), item.inputs.end(), ref) != item.inputs.end();
        if (ref.source != ValueRef::Source::none && !known) item.inputs.push_back(ref);
    };
    for (const Leaf& leaf : inputs) {
        add_input(reach(leaf));
        use_memory(leaf);
    }
    if (node.stream == graph::compute_stream) {
        for (const ValueRef wait : frame().take_waits()) add_input(wait);
    }
    return ValueRef::item(frame().add(std::move(item)));
}

void Lowerer::open_frame(std::string name) {
    frames_.emplace_back(std::move(name), static_cast<std::uint32_t>(frames_.size()));
    // The host launches the kernels of a region; their number is known when the region is closed.
    Item launch;
    launch.work = tables_.own_work(graph::Launch{0.0});
    launch.stream = streams_.host();
    launch.name = tables_.name("launch kernels");
    frame().add(std::move(launch));
}

void Lowerer::close_frame() {
    Item& launch = frame().items().front();
    std::get<graph::Launch>(lowered_.graph.works[launch.work.index()]).kernels =
        frame().kernels * options_.launches;
    // A region takes the time of its kernels or that of their launches, whichever is longer.
    const auto last = frame().last_kernel();
    if (last && last->index < frame().size() && frame().items()[last->index].kind == Item::Kind::node)
        frame().items()[last->index].inputs.push_back(ValueRef::item(0));
    lifetimes_.write(frame(), tables_, marker_);
}

std::string_view Lowerer::label_of(const Operation& operation) const {
    const std::string_view label = program_.text(operation.label);
    return label.empty() ? program_.text(operation.name) : label;
}

// ---- operations --------------------------------------------------------------------------------------

Lowerer::Values Lowerer::play(ir::ComputationId id, const Values& arguments) {
    const ir::Computation& computation = program_[id];
    for (std::size_t i = 0; i < computation.arguments.size() && i < arguments.size(); ++i)
        values_[computation.arguments[i]] = arguments[i];
    for (const Operation& operation : computation.operations) play(operation, arguments);
    Values results;
    for (const ValueId result : computation.results) results.push_back(values_[result]);
    return results;
}

void Lowerer::play(const Operation& operation, const Values& arguments) {
    switch (device_work(program_, operation)) {
        case DeviceWork::nothing:
            return pass_on(operation, arguments);
        case DeviceWork::kernel:
            return play_kernel(operation);
        case DeviceWork::communication:
            return play_communication(operation);
        case DeviceWork::copy:
            return play_copy(operation);
        case DeviceWork::control:
            return play_control(operation);
    }
}

/// Lowers operations that only name, group or view existing values.
void Lowerer::pass_on(const Operation& operation, const Values& arguments) {
    if (operation.opcode == Opcode::parameter) {
        const auto* index = program_.attribute_if<ir::Index>(operation);
        const auto number = index == nullptr ? std::size_t{0} : static_cast<std::size_t>(index->number);
        return values_.set_results(operation, number < arguments.size() ? arguments[number] : Leaves{});
    }
    if (operation.opcode == Opcode::get_tuple_element) {
        const auto* index = program_.attribute_if<ir::Index>(operation);
        const ValueId operand = program_.operands(operation).front();
        const ir::Type& tuple = program_.types[program_.type_of(operand)];
        const Leaves& leaves = values_[operand];
        std::size_t first = 0;
        for (std::int64_t i = 0; index != nullptr && i < index->number; ++i) {
            const auto member = static_cast<std::size_t>(i);
            first += member < tuple.members.size() ? program_.types.leaves(tuple.members[member]) : 1;
        }
        first = std::min(first, leaves.size());
        return values_.set_results(operation,
                                   {leaves.begin() + static_cast<std::ptrdiff_t>(first), leaves.end()});
    }
    if (operation.opcode == Opcode::copy_done || ir::traits(operation.opcode).ends_communication)
        return play_done(operation);
    values_.set_results(operation, values_.operand_leaves(operation));
}

void Lowerer::play_kernel(const Operation& operation) {
    if (kernels_.is_nothing(operation))
        return values_.set_results(operation, values_.operand_leaves(operation));
    if (!kernels_.is_known(operation)) ++lowered_.unknown[std::string{ir::foreign_name(program_, operation)}];
    const graph::Compute compute = kernels_.kernel(operation);
    const ValueRef made = add_node({compute, graph::compute_stream, tables_.name(label_of(operation))},
                                   values_.operand_leaves(operation));
    frame().kernels += compute.kernels;
    values_.set_results(operation,
                        make_results(operation, made, graph::compute_stream, MemoryKind::activations));
}

void Lowerer::play_copy(const Operation& operation) {
    const graph::Copy copy = copy_of(program_, operation);
    const StreamId stream = streams_.of(copy.direction);
    const ValueRef made =
        add_node({copy, stream, tables_.name(label_of(operation))}, values_.operand_leaves(operation));
    Leaves results = make_results(operation, made, stream, MemoryKind::activations);
    if (operation.opcode == Opcode::copy_start) {
        // The result of the done is the target in the tuple (target, source, context).
        under_way_[Program::result(operation).index()] = {results.front()};
        for (std::size_t i = 1; i < results.size(); ++i) lifetimes_.drop(results[i].memory);
    }
    values_.set_results(operation, results);
}

void Lowerer::play_communication(const Operation& operation) {
    if (ir::traits(operation.opcode).ends_communication) return play_done(operation);
    const auto call = collective_call(program_, operation);
    const graph::AxisSet axes = call ? groups_.axes_of(operation) : graph::AxisSet{};
    if (!call || lowered_.graph.mesh.degree(axes) == 1 || !(call->size > Bytes{}))
        return pass_on(operation, {});
    // Its value is ready when it has ended. `exposed` is the share for which data parallelism's collectives
    // block the kernels (none here), and for others the share that the value waits for (all of it).
    const bool of_replicas = !(axes & graph::data_parallel_axes).empty();
    const graph::Collective collective{call->kind, axes, call->size, of_replicas ? 0.0 : 1.0};
    const StreamId stream = operation.blocks ? graph::compute_stream : streams_.of(axes);
    const ValueRef made =
        add_node({collective, stream, tables_.name(label_of(operation))}, values_.operand_leaves(operation));
    if (stream != graph::compute_stream) frame().kernels += 1;
    const Leaves results = make_results(operation, made, stream, MemoryKind::communication);
    const std::size_t operands = values_.operand_leaves(operation).size();
    const bool hands_on =
        operation.opcode == Opcode::all_gather_start || operation.opcode == Opcode::collective_permute_start;
    if (hands_on && results.size() > operands) {
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (i < operands || i >= 2 * operands) lifetimes_.drop(results[i].memory);
        }
        const auto first = results.begin() + static_cast<std::ptrdiff_t>(operands);
        under_way_[Program::result(operation).index()] = {
            first, first + static_cast<std::ptrdiff_t>(std::min(operands, results.size() - operands))};
    }
    values_.set_results(operation, results);
}

/// The results of a start are ready; later kernels wait for them.
void Lowerer::play_done(const Operation& operation) {
    const auto operands = program_.operands(operation);
    Leaves leaves = values_.operand_leaves(operation);
    if (!operands.empty()) {
        const auto found = under_way_.find(operands.front().index());
        if (found != under_way_.end()) leaves = found->second;
    }
    for (const Leaf& leaf : leaves) {
        const ValueRef ref = reach(leaf);
        if (ref.source != ValueRef::Source::none && leaf.streams != only(graph::compute_stream))
            frame().wait_for(ref);
        use_memory(leaf);
    }
    values_.set_results(operation, leaves);
}

// ---- the graph ---------------------------------------------------------------------------------------

MemoryKind Lowerer::kind_of(ir::TypeId type, MemoryKind on_device) const {
    return program_.types[type].memory_space == ir::host_memory_space ? graph::host_memory : on_device;
}

void Lowerer::finish_graph(const Values& results) {
    const Leaves outputs = joined(results);
    for (const Leaf& leaf : outputs) lifetimes_.keep_always(leaf.memory);
    graph::StageProgram stage;
    for (const ir::TypeId type : argument_leaf_types(program_)) {
        const Bytes size{program_.types.bytes(type)};
        if (size > Bytes{})
            stage.resident.push_back(tables_.buffer(kind_of(type, MemoryKind::parameters), size));
    }
    for (const std::size_t result : results_in_arguments(program_)) {
        if (result < outputs.size()) lifetimes_.drop(outputs[result].memory);
    }
    close_frame();

    graph::Graph& graph = lowered_.graph;
    const graph::RegionId pass{graph.regions.size()};
    graph.regions.push_back(frame().finish_entry());
    graph.regions.back().ports = 1;
    graph.regions.back().outputs = {ValueRef::none()};
    graph.regions.push_back({"nothing", 0, {}, {}});
    stage.update = stage.finish = graph::RegionId{graph.regions.size() - 1};
    stage.chunks = {{pass, pass, pass, pass, pass, pass}};
    stage.counts = counts_;
    graph.programs.push_back(std::move(stage));
    graph.program_of = {0};
    graph.barrier = marker_;
    streams_.assign_to(graph);
    graph::make_forward_schedule(1, 1, 1, graph.schedule);
    graph::validate(graph);
}

}  // namespace dse::frontend
