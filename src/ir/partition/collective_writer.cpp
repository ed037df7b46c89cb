#include "ir/partition/collective_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/partition/local_types.hpp"
#include "ir/partition/permutation.hpp"
#include "ir/program/mesh_groups.hpp"

namespace dse::ir::partition {

ValueId CollectiveWriter::reshard(ComputationId computation, ValueId part, TypeId whole,
                                  const std::vector<Layout>& from, const std::vector<Layout>& to,
                                  std::uint32_t line, const Axes& partial, Summing summing) {
    Leaves leaves{from.begin(), to.begin(), line, partial, summing};
    return reshard_next(computation, part, whole, leaves);
}

ValueId CollectiveWriter::reshard_next(ComputationId computation, ValueId part, TypeId whole,
                                       Leaves& leaves) {
    const Type type = builder_.program().types[whole];  // a copy, since the table grows
    if (type.kind != Type::Kind::tuple)
        return reshard_array(computation, part, type, *leaves.from++, *leaves.to++, leaves);
    const Type local = builder_.program().types[builder_.program().type_of(part)];
    std::vector<ValueId> elements;
    Type moved = local;
    for (std::size_t i = 0; i < type.members.size(); ++i) {
        const ValueId element = write(computation, Opcode::get_tuple_element, part, local.members[i],
                                      Index{static_cast<std::int64_t>(i)}, leaves.line);
        elements.push_back(reshard_next(computation, element, type.members[i], leaves));
        moved.members[i] = builder_.program().type_of(elements.back());
    }
    const TypeId result = builder_.program().types.add(std::move(moved));
    return write(computation, Opcode::tuple, elements, result, {}, leaves.line);
}

ValueId CollectiveWriter::reshard_array(ComputationId computation, ValueId part, const Type& whole,
                                        const Layout& from, const Layout& to, const Leaves& leaves) {
    const Layout* before = &from;
    const std::uint32_t line = leaves.line;
    const std::vector<ReshardStep> steps =
        spmd_reshard_steps(whole.sizes, from, to, leaves.partial, leaves.summing);
    for (const ReshardStep& step : steps) {
        Type local = local_type(whole, step.after);
        const TypeId type = builder_.program().types.add(std::move(local));
        switch (step.kind) {
            case ReshardStep::Kind::all_reduce:
                part = write(computation, Opcode::all_reduce, part, type, along(step.axes), line);
                break;
            case ReshardStep::Kind::sum_parts:
                if (type != builder_.program().type_of(part))
                    part = write(computation, Opcode::dynamic_update_slice, part, type,
                                 OwnPart{groups(step.axes), static_cast<std::int64_t>(step.to)}, line);
                part = write(computation, Opcode::all_reduce, part, type, along(step.axes), line);
                break;
            case ReshardStep::Kind::slice:
                part = write(computation, Opcode::dynamic_slice, part, type,
                             OwnPart{groups(step.axes), static_cast<std::int64_t>(step.to)}, line);
                break;
            case ReshardStep::Kind::permute: {
                Communication communication = along({});
                communication.groups = DeviceGroups{};
                communication.pairs = permutation(mesh_, *before, step.after);
                part = write(computation, Opcode::collective_permute, part, type, std::move(communication),
                             line);
                break;
            }
            case ReshardStep::Kind::all_to_all: {
                Communication communication = along(step.axes);
                communication.dimension = static_cast<std::int64_t>(step.to);
                communication.concat_dimension = static_cast<std::int64_t>(step.from);
                part = write(computation, Opcode::all_to_all, part, type, std::move(communication), line);
                break;
            }
            case ReshardStep::Kind::all_gather: {
                Communication communication = along(step.axes);
                communication.dimension = static_cast<std::int64_t>(step.from);
                part = write(computation, Opcode::all_gather, part, type, std::move(communication), line);
                break;
            }
        }
        before = &step.after;
    }
    return part;
}

ValueId CollectiveWriter::exchange_halo(ComputationId computation, ValueId part, std::size_t dimension,
                                        const Axes& axes, std::int64_t size, const WantedRanges& wanted,
                                        std::uint32_t line) {
    const auto length = [&](ValueId value) {
        return builder_.program().types[builder_.program().type_of(value)].sizes[dimension];
    };
    const auto steps = halo_steps(size, wanted);
    if (!steps) {
        Communication communication = along(axes);
        communication.dimension = static_cast<std::int64_t>(dimension);
        part = write(computation, Opcode::all_gather, part, resized(part, dimension, size),
                     std::move(communication), line);
    } else if (!steps->empty()) {
        std::vector<ValueId> pieces{part};
        std::int64_t together = length(part);
        for (const HaloStep& step : *steps) {
            pieces.push_back(send_halo(computation, part, dimension, axes, step, line));
            together += step.size;
        }
        part = write(computation, Opcode::concatenate, pieces, resized(part, dimension, together),
                     Dimensions{{static_cast<std::int64_t>(dimension)}}, line);
    }
    std::int64_t longest = 0;
    for (const auto& [start, limit] : wanted) longest = std::max(longest, limit - start);
    if (longest == length(part)) return part;
    const TypeId type = resized(part, dimension, longest);
    return write(computation, Opcode::dynamic_slice, part, type,
                 SliceSizes{builder_.program().types[type].sizes}, line);
}

ValueId CollectiveWriter::send_halo(ComputationId computation, ValueId part, std::size_t dimension,
                                    const Axes& axes, const HaloStep& step, std::uint32_t line) {
    const TypeId type = resized(part, dimension, step.size);
    if (type != builder_.program().type_of(part))
        part = write(computation, Opcode::dynamic_slice, part, type,
                     SliceSizes{builder_.program().types[type].sizes}, line);
    Communication communication = along({});
    communication.groups = DeviceGroups{};
    for (const auto& group : groups(axes).members(mesh_.device_count()))
        for (const auto& [source, target] : step.pairs)
            communication.pairs.emplace_back(group[static_cast<std::size_t>(source)],
                                             group[static_cast<std::size_t>(target)]);
    return write(computation, Opcode::collective_permute, part, type, std::move(communication), line);
}

TypeId CollectiveWriter::resized(ValueId part, std::size_t dimension, std::int64_t size) {
    Type type = builder_.program().types[builder_.program().type_of(part)];
    type.sizes[dimension] = size;
    return builder_.program().types.add(std::move(type));
}

ValueId CollectiveWriter::write(ComputationId computation, Opcode opcode, std::span<const ValueId> operands,
                                TypeId type, Attribute attribute, std::uint32_t line) {
    const std::array results{type};
    return builder_.value(computation, {.opcode = opcode,
                                        .name = spelled(opcode),
                                        .operands = operands,
                                        .results = results,
                                        .attribute = builder_.attribute(std::move(attribute)),
                                        .line = line});
}

Communication CollectiveWriter::along(const Axes& axes) {
    Communication communication;
    if (!axes.empty()) communication.groups = groups(axes);
    communication.mode = GroupMode::flattened_ids;
    communication.channel = ++channels_;
    return communication;
}

const DeviceGroups& CollectiveWriter::groups(const Axes& axes) {
    const auto known =
        std::find_if(groups_.begin(), groups_.end(), [&axes](const auto& one) { return one.first == axes; });
    if (known != groups_.end()) return known->second;
    return groups_.emplace_back(axes, groups_along(mesh_, span_of(axes))).second;
}

NameId CollectiveWriter::spelled(Opcode opcode) {
    NameId& known = names_[static_cast<std::size_t>(opcode)];
    if (known != no_name) return known;
    std::string text{name(opcode)};
    if (language_ == Language::mlir)
        text.insert(0, "stablehlo.");
    else
        std::replace(text.begin(), text.end(), '_', '-');
    return known = builder_.name(text);
}

}  // namespace dse::ir::partition
