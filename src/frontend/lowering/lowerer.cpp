#include "lowerer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/frontend/lowering/collective_call.hpp"
#include "host_memory.hpp"

namespace dse::frontend {

using ir::Opcode;
using ir::Operation;
using ir::Program;
using ir::ValueId;
using workload::Item;
using workload::MemoryKind;
using workload::StreamId;
using workload::ValueRef;

Lowered lower(const Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign) {
    return Lowerer{program, options, foreign}.run();
}

Lowerer::Lowerer(const Program& program, const LoweringOptions& options, const ir::ForeignCosts& foreign)
    : program_{program},
      options_{options},
      kernels_{program, foreign},
      tables_{lowered_.graph},
      values_(program.values.size()) {
    if (!program.partitioned && program.devices() > 1)
        throw ModelError(fmt::format("'{}' is sharded over {} devices, but not yet partitioned", program.name,
                                     program.devices()));
}

Lowered Lowerer::run() {
    find_groups();
    lowered_.graph.streams = {"compute"};
    marker_ = tables_.work(workload::Launch{0.0});
    open_frame(std::string{program_.text(program_[program_.entry].name)});
    const ir::Computation& entry = program_[program_.entry];
    Values arguments;
    for (const ValueId argument : entry.arguments)
        arguments.emplace_back(program_.types.leaves(program_.type_of(argument)));
    const Values results = play(program_.entry, arguments);
    finish_graph(results, arguments);
    return std::move(lowered_);
}

// ---- who meets ---------------------------------------------------------------------------------------

void Lowerer::find_groups() {
    grid_ = grid_of(program_);
    std::vector<DevicePartition> partitions;
    for (const ir::Computation& computation : program_.computations) {
        for (const Operation& operation : computation.operations) {
            if (!collective_call(program_, operation)) continue;
            const auto [found, is_new] = partitions_.try_emplace(operation.attribute);
            if (!is_new) continue;
            found->second = partition_of(program_, operation, grid_);
            if (std::find(partitions.begin(), partitions.end(), found->second) == partitions.end())
                partitions.push_back(found->second);
        }
    }
    mesh_.emplace(partitions, grid_.devices());
    if (gathers_parameters(program_)) mesh_->assign(workload::MeshAxis::data);
    lowered_.graph.mesh = mesh_->mesh();
}

workload::AxisSet Lowerer::axes_of(const Operation& operation) {
    const auto [found, is_new] = axes_.try_emplace(operation.attribute);
    if (is_new) found->second = mesh_->axes_of(partitions_.at(operation.attribute));
    return found->second;
}

// ---- values ------------------------------------------------------------------------------------------

void Lowerer::leaf_types(ir::TypeId type, std::vector<ir::TypeId>& types) const {
    const ir::Type& found = program_.types[type];
    if (found.kind != ir::Type::Kind::tuple) {
        types.push_back(type);
        return;
    }
    for (const ir::TypeId member : found.members) leaf_types(member, types);
}

Leaves Lowerer::operand_leaves(const Operation& operation) const {
    Leaves result;
    for (const ValueId operand : program_.operands(operation)) {
        const Leaves& leaves = values_[operand.index()];
        result.insert(result.end(), leaves.begin(), leaves.end());
    }
    return result;
}

void Lowerer::set_results(const Operation& operation, const Leaves& leaves) {
    auto next = leaves.begin();
    for (std::size_t i = 0; i < operation.results.count; ++i) {
        const ValueId result = Program::result(operation, i);
        const std::size_t wanted = program_.types.leaves(program_.type_of(result));
        const auto there = static_cast<std::size_t>(leaves.end() - next);
        Leaves& value = values_[result.index()];
        value.assign(next, next + static_cast<std::ptrdiff_t>(std::min(wanted, there)));
        value.resize(wanted);
        next += static_cast<std::ptrdiff_t>(std::min(wanted, there));
    }
}

Leaf Lowerer::made_by(ValueRef ref, StreamId stream) {
    return {ref, frame().level(), only(stream), no_memory};
}

MemoryId Lowerer::memory_in_place(const Operation& operation) const {
    const auto operands = program_.operands(operation);
    if (operands.empty()) return no_memory;
    const auto memory_of = [&](std::size_t i) {
        const Leaves& leaves = values_[operands[i].index()];
        return leaves.empty() ? no_memory : leaves.front().memory;
    };
    if (operation.opcode == Opcode::dynamic_update_slice || operation.opcode == Opcode::scatter)
        return memory_of(0);
    if (operation.opcode != Opcode::fusion || program_.called(operation).empty()) return no_memory;
    // A fused kernel that ends in an update of one of its operands.
    const ir::Computation& body = program_[program_.called(operation).front()];
    if (body.results.size() != 1) return no_memory;
    const Operation* root = program_.definition(body.results.front());
    if (root == nullptr || root->opcode != Opcode::dynamic_update_slice) return no_memory;
    const ValueId updated = program_.operands(*root).front();
    for (std::size_t i = 0; i < body.arguments.size() && i < operands.size(); ++i) {
        if (body.arguments[i] == updated) return memory_of(i);
    }
    const Operation* parameter = program_.definition(updated);
    const auto* index = parameter == nullptr ? nullptr : program_.attribute_if<ir::Index>(*parameter);
    const bool stands_for_one = index != nullptr && parameter->opcode == Opcode::parameter &&
                                static_cast<std::size_t>(index->number) < operands.size();
    return stands_for_one ? memory_of(static_cast<std::size_t>(index->number)) : no_memory;
}

Leaves Lowerer::make_results(const Operation& operation, ValueRef made, StreamId stream, MemoryKind kind) {
    std::vector<ir::TypeId> types;
    for (std::size_t i = 0; i < operation.results.count; ++i)
        leaf_types(program_.type_of(Program::result(operation, i)), types);
    const MemoryId in_place = memory_in_place(operation);
    Leaves leaves;
    for (const ir::TypeId type : types) {
        Leaf leaf = made_by(made, stream);
        const bool on_host = program_.types[type].memory_space == ir::host_memory_space;
        leaf.memory = in_place;
        if (in_place == no_memory) {
            leaf.memory = lifetimes_.make(frame().level(), Bytes{program_.types.bytes(type)},
                                          on_host ? workload::host_memory : kind);
            lifetimes_.allocate(leaf.memory, frame().size() - 1);
        }
        leaves.push_back(leaf);
    }
    return leaves;
}

// ---- nodes -------------------------------------------------------------------------------------------

/// A leaf's value in the region that is open: through ports of all regions between.
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
    if (node.stream == workload::compute_stream) {
        for (const ValueRef wait : frame().take_waits()) add_input(wait);
    }
    return ValueRef::item(frame().add(std::move(item)));
}

void Lowerer::open_frame(std::string name) {
    frames_.emplace_back(std::move(name), static_cast<std::uint32_t>(frames_.size()));
    // The host launches the kernels of a region; how many they are is known at its end.
    Item launch;
    launch.work = tables_.own_work(workload::Launch{0.0});
    launch.stream = find_stream("host");
    launch.name = tables_.name("launch kernels");
    frame().add(std::move(launch));
}

void Lowerer::close_frame() {
    Item& launch = frame().items().front();
    std::get<workload::Launch>(lowered_.graph.works[launch.work.index()]).kernels =
        frame().kernels * options_.launches;
    // A region takes as long as its kernels or as their launches, whichever is longer.
    const auto last = frame().last_kernel();
    if (last && last->index < frame().size() && frame().items()[last->index].kind == Item::Kind::node)
        frame().items()[last->index].inputs.push_back(ValueRef::item(0));
    lifetimes_.write(frame(), tables_, marker_);
}

StreamId Lowerer::find_stream(const std::string& name) {
    std::vector<std::string>& names = lowered_.graph.streams;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return StreamId{static_cast<std::size_t>(found - names.begin())};
    names.push_back(name);
    return StreamId{names.size() - 1};
}

StreamId Lowerer::stream_of(workload::AxisSet axes) {
    return options_.overlap == Overlap::none ? workload::compute_stream : find_stream(workload::name(axes));
}

StreamId Lowerer::stream_of(workload::CopyDirection direction) {
    return find_stream(direction == workload::CopyDirection::to_host ? "from device" : "to device");
}

workload::NameId Lowerer::name_of(const Operation& operation) {
    const std::string_view label = program_.text(operation.label);
    return tables_.name(label.empty() ? program_.text(operation.name) : label);
}

// ---- operations --------------------------------------------------------------------------------------

Lowerer::Values Lowerer::play(ir::ComputationId id, const Values& arguments) {
    const ir::Computation& computation = program_[id];
    for (std::size_t i = 0; i < computation.arguments.size() && i < arguments.size(); ++i)
        values_[computation.arguments[i].index()] = arguments[i];
    for (const Operation& operation : computation.operations) play(operation, arguments);
    Values results;
    for (const ValueId result : computation.results) results.push_back(values_[result.index()]);
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

/// Names, groups and views of values that are there.
void Lowerer::pass_on(const Operation& operation, const Values& arguments) {
    if (operation.opcode == Opcode::parameter) {
        const auto* index = program_.attribute_if<ir::Index>(operation);
        const auto number = index == nullptr ? std::size_t{0} : static_cast<std::size_t>(index->number);
        return set_results(operation, number < arguments.size() ? arguments[number] : Leaves{});
    }
    if (operation.opcode == Opcode::get_tuple_element) {
        const auto* index = program_.attribute_if<ir::Index>(operation);
        const ValueId operand = program_.operands(operation).front();
        const ir::Type& tuple = program_.types[program_.type_of(operand)];
        const Leaves& leaves = values_[operand.index()];
        std::size_t first = 0;
        for (std::int64_t i = 0; index != nullptr && i < index->number; ++i) {
            const auto member = static_cast<std::size_t>(i);
            first += member < tuple.members.size() ? program_.types.leaves(tuple.members[member]) : 1;
        }
        first = std::min(first, leaves.size());
        return set_results(operation, {leaves.begin() + static_cast<std::ptrdiff_t>(first), leaves.end()});
    }
    if (operation.opcode == Opcode::copy_done || ends_communication(operation.opcode))
        return play_done(operation);
    set_results(operation, operand_leaves(operation));
}

void Lowerer::play_kernel(const Operation& operation) {
    if (kernels_.is_nothing(operation)) return set_results(operation, operand_leaves(operation));
    if (!kernels_.is_known(operation)) ++lowered_.unknown[std::string{ir::foreign_name(program_, operation)}];
    const workload::Compute compute = kernels_.kernel(operation);
    const ValueRef made =
        add_node({compute, workload::compute_stream, name_of(operation)}, operand_leaves(operation));
    frame().kernels += compute.kernels;
    set_results(operation, make_results(operation, made, workload::compute_stream, MemoryKind::activations));
}

void Lowerer::play_copy(const Operation& operation) {
    const workload::Copy copy = copy_of(program_, operation);
    const StreamId stream = stream_of(copy.direction);
    const ValueRef made = add_node({copy, stream, name_of(operation)}, operand_leaves(operation));
    Leaves results = make_results(operation, made, stream, MemoryKind::activations);
    if (operation.opcode == Opcode::copy_start) {
        // Of the tuple (target, source, context) the target is what will be there.
        under_way_[Program::result(operation).index()] = {results.front()};
        for (std::size_t i = 1; i < results.size(); ++i) lifetimes_.drop(results[i].memory);
    }
    set_results(operation, results);
}

void Lowerer::play_communication(const Operation& operation) {
    if (ends_communication(operation.opcode)) return play_done(operation);
    const auto call = collective_call(program_, operation);
    const workload::AxisSet axes = call ? axes_of(operation) : workload::AxisSet{};
    if (!call || lowered_.graph.mesh.degree(axes) == 1 || !(call->size > Bytes{}))
        return pass_on(operation, {});
    // Its value is there when it has ended: of data parallelism's collectives `exposed` is what they hold the
    // kernels up for, of others what a value waits for.
    const bool of_replicas = !(axes & workload::data_parallel_axes).empty();
    const workload::Collective collective{call->kind, axes, call->size, of_replicas ? 0.0 : 1.0};
    const StreamId stream = stream_of(axes);
    const ValueRef made = add_node({collective, stream, name_of(operation)}, operand_leaves(operation));
    if (stream != workload::compute_stream) frame().kernels += 1;
    const Leaves results = make_results(operation, made, stream, MemoryKind::communication);
    const std::size_t operands = operand_leaves(operation).size();
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
    set_results(operation, results);
}

/// What a start began is there; kernels from here on wait for it.
void Lowerer::play_done(const Operation& operation) {
    const auto operands = program_.operands(operation);
    Leaves leaves = operand_leaves(operation);
    if (!operands.empty()) {
        const auto found = under_way_.find(operands.front().index());
        if (found != under_way_.end()) leaves = found->second;
    }
    for (const Leaf& leaf : leaves) {
        const ValueRef ref = reach(leaf);
        if (ref.source != ValueRef::Source::none && leaf.streams != only(workload::compute_stream))
            frame().wait_for(ref);
        use_memory(leaf);
    }
    set_results(operation, leaves);
}

// ---- control -----------------------------------------------------------------------------------------

void Lowerer::play_control(const Operation& operation) {
    switch (operation.opcode) {
        case Opcode::while_loop:
            return play_loop(operation);
        case Opcode::conditional:
            return play_conditional(operation);
        case Opcode::async_start:
            return play_async_start(operation);
        case Opcode::async_update: {
            const auto operands = program_.operands(operation);
            const auto found =
                operands.empty() ? under_way_.end() : under_way_.find(operands.front().index());
            const Leaves leaves = found == under_way_.end() ? operand_leaves(operation) : found->second;
            set_results(operation, leaves);
            under_way_[Program::result(operation).index()] = leaves;
            return;
        }
        case Opcode::async_done:
            return play_done(operation);
        default:
            return play_call(operation);
    }
}

void Lowerer::play_call(const Operation& operation) {
    const auto called = program_.called(operation);
    if (called.empty()) return play_kernel(operation);
    Values arguments;
    for (const ValueId operand : program_.operands(operation)) arguments.push_back(values_[operand.index()]);
    Leaves leaves;
    for (const Leaves& result : play(called.front(), arguments))
        leaves.insert(leaves.end(), result.begin(), result.end());
    set_results(operation, leaves);
}

void Lowerer::play_async_start(const Operation& operation) {
    const auto called = program_.called(operation);
    if (called.empty()) return pass_on(operation, {});
    Values arguments;
    for (const ValueId operand : program_.operands(operation)) arguments.push_back(values_[operand.index()]);
    Leaves leaves;
    for (const Leaves& result : play(called.front(), arguments))
        leaves.insert(leaves.end(), result.begin(), result.end());
    under_way_[Program::result(operation).index()] = leaves;
    set_results(operation, leaves);
}

/// The branch with the most work; its arguments stand behind the operand that chooses.
void Lowerer::play_conditional(const Operation& operation) {
    const auto called = program_.called(operation);
    const auto operands = program_.operands(operation);
    if (called.empty()) return pass_on(operation, {});
    std::size_t largest = 0;
    for (std::size_t i = 1; i < called.size(); ++i) {
        if (work_in(called[i]) > work_in(called[largest])) largest = i;
    }
    Values arguments;
    // HLO hands one operand to each branch; regions of MLIR see what stands around them.
    if (operands.size() == called.size() + 1) arguments.push_back(values_[operands[largest + 1].index()]);
    Leaves leaves;
    for (const Leaves& result : play(called[largest], arguments))
        leaves.insert(leaves.end(), result.begin(), result.end());
    set_results(operation, leaves);
}

/// Seconds of a computation on a device of a petaFLOP/s and a terabyte/s, to compare it with others.
double Lowerer::work_in(ir::ComputationId id) {
    const auto found = work_in_.find(id.index());
    if (found != work_in_.end()) return found->second;
    double sum = 0.0;
    for (const Operation& operation : program_[id].operations) {
        double once = 0.0;
        const DeviceWork kind = device_work(program_, operation);
        if (kind == DeviceWork::kernel) {
            const workload::Compute compute = kernels_.kernel(operation);
            once = std::max(compute.executed_flop.value() / 1e15,
                            (compute.read + compute.written).value() / 1e12);
        } else if (kind == DeviceWork::control) {
            for (const ir::ComputationId called : program_.called(operation)) once += work_in(called);
        }
        const auto* loop = program_.attribute_if<ir::Loop>(operation);
        sum += once * static_cast<double>(loop != nullptr ? loop->trip_count.value_or(1) : 1);
    }
    work_in_[id.index()] = sum;
    return sum;
}

// ---- the whole ---------------------------------------------------------------------------------------

void Lowerer::finish_graph(const Values& results, const Values& /*arguments*/) {
    const ir::Computation& entry = program_[program_.entry];
    std::vector<MemoryId> memories;
    for (const Leaves& leaves : results) {
        for (const Leaf& leaf : leaves) memories.push_back(leaf.memory);
    }
    for (const MemoryId memory : memories) lifetimes_.keep_always(memory);
    workload::StageProgram stage;
    std::vector<ir::TypeId> argument_types;
    for (const ValueId argument : entry.arguments) leaf_types(program_.type_of(argument), argument_types);
    if (entry.arguments.empty()) {
        for (const Operation& operation : entry.operations) {
            if (operation.opcode == Opcode::parameter)
                leaf_types(program_.type_of(Program::result(operation)), argument_types);
        }
    }
    for (const ir::TypeId type : argument_types) {
        const bool on_host = program_.types[type].memory_space == ir::host_memory_space;
        const Bytes size{program_.types.bytes(type)};
        if (size > Bytes{})
            stage.resident.push_back(
                tables_.buffer(on_host ? workload::host_memory : MemoryKind::parameters, size));
    }
    std::vector<ir::TypeId> result_types;
    for (const ValueId result : entry.results) leaf_types(program_.type_of(result), result_types);
    std::vector<char> aliased(memories.size(), 0);
    for (const ir::BufferAlias& alias : program_.aliases) {
        std::size_t result = alias.result;
        if (alias.result == ir::BufferAlias::any_result && alias.argument < argument_types.size()) {
            for (result = 0; result < memories.size(); ++result) {
                if (aliased[result] == 0 && result_types[result] == argument_types[alias.argument]) break;
            }
        }
        if (result >= memories.size()) continue;
        aliased[result] = 1;
        lifetimes_.drop(memories[result]);
    }
    close_frame();

    workload::Graph& graph = lowered_.graph;
    const workload::RegionId pass{graph.regions.size()};
    graph.regions.push_back(frame().finish_entry());
    graph.regions.back().ports = 1;
    graph.regions.back().outputs = {ValueRef::none()};
    graph.regions.push_back({"nothing", 0, {}, {}});
    stage.update = stage.finish = workload::RegionId{graph.regions.size() - 1};
    stage.chunks = {{pass, pass, pass, pass, pass, pass}};
    stage.counts = counts_;
    graph.programs.push_back(std::move(stage));
    graph.program_of = {0};
    graph.barrier = marker_;
    workload::make_forward_schedule(1, 1, 1, graph.schedule);
    workload::validate(graph);
}

}  // namespace dse::frontend
