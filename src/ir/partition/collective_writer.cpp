#include "ir/partition/collective_writer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dse/ir/mesh_groups.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/permutation.hpp"

namespace dse::ir::partition {

ValueId CollectiveWriter::reshard(ComputationId computation, ValueId part, const Type& whole,
                                  const Layout& from, const Layout& to, std::uint32_t line) {
    const Layout* before = &from;
    const std::vector<ReshardStep> steps = reshard_steps(from, to);
    for (const ReshardStep& step : steps) {
        Type local = local_type(whole, step.after);
        const Sizes sizes = local.sizes;
        const TypeId type = builder_.program().types.add(std::move(local));
        switch (step.kind) {
            case ReshardStep::Kind::slice:
                part = write(computation, Opcode::dynamic_slice, part, type, SliceSizes{sizes}, line);
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

ValueId CollectiveWriter::all_reduce(ComputationId computation, ValueId part, const Axes& axes,
                                     std::uint32_t line) {
    return write(computation, Opcode::all_reduce, part, builder_.program().type_of(part), along(axes), line);
}

ValueId CollectiveWriter::write(ComputationId computation, Opcode opcode, ValueId part, TypeId type,
                                Attribute attribute, std::uint32_t line) {
    const std::array operands{part};
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
    if (!axes.empty()) communication.groups = groups_along(mesh_, axes);
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
