#include "ir/partition/collective_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dse/ir/program/mesh_groups.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/permutation.hpp"

namespace dse::ir::partition {

ValueId CollectiveWriter::reshard(ComputationId computation, ValueId part, TypeId whole,
                                  const std::vector<Layout>& from, const std::vector<Layout>& to,
                                  std::uint32_t line, const Axes& partial) {
    Leaves leaves{from.begin(), to.begin(), line, partial};
    return reshard_next(computation, part, whole, leaves);
}

ValueId CollectiveWriter::reshard_next(ComputationId computation, ValueId part, TypeId whole,
                                       Leaves& leaves) {
    const Type type = builder_.program().types[whole];  // the table grows meanwhile
    if (type.kind != Type::Kind::tuple)
        return reshard_array(computation, part, type, *leaves.from++, *leaves.to++, leaves.line,
                             leaves.partial);
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
                                        const Layout& from, const Layout& to, std::uint32_t line,
                                        const Axes& partial) {
    const Layout* before = &from;
    const std::vector<ReshardStep> steps = reshard_steps(from, to, partial);
    for (const ReshardStep& step : steps) {
        Type local = local_type(whole, step.after);
        const TypeId type = builder_.program().types.add(std::move(local));
        switch (step.kind) {
            case ReshardStep::Kind::all_reduce:
                part = write(computation, Opcode::all_reduce, part, type, along(step.axes), line);
                break;
            case ReshardStep::Kind::slice:
                part = write(
                    computation, Opcode::dynamic_slice, part, type,
                    OwnPart{groups_along(mesh_, span_of(step.axes)), static_cast<std::int64_t>(step.to)},
                    line);
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

ValueId CollectiveWriter::write(ComputationId computation, Opcode opcode, std::span<const ValueId> operands,
                                TypeId type, Attribute attribute, std::uint32_t line) {
    const std::array results{type};
    return builder_.value(computation, {.opcode = opcode,
                                        .name = builder_.name(spelled(opcode)),
                                        .operands = operands,
                                        .results = results,
                                        .attribute = builder_.attribute(std::move(attribute)),
                                        .line = line});
}

Communication CollectiveWriter::along(const Axes& axes) {
    Communication communication;
    if (!axes.empty()) communication.groups = groups_along(mesh_, span_of(axes));
    communication.mode = GroupMode::flattened_ids;
    communication.channel = ++channels_;
    return communication;
}

std::string CollectiveWriter::spelled(Opcode opcode) const {
    std::string text{name(opcode)};
    if (language_ == Language::mlir) return "stablehlo." + text;
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
}

}  // namespace dse::ir::partition
