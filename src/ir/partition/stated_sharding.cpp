#include "ir/partition/stated_sharding.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::ir::partition {
namespace {

SlotLayout everything_open(const Type& type) {
    SlotLayout layout;
    layout.dimensions.resize(type.sizes.size());
    layout.open.assign(type.sizes.size(), true);
    return layout;
}

bool names_axes(const Sharding& sharding) {
    return sharding.kind == Sharding::Kind::tiled &&
           (!sharding.replicated.empty() ||
            std::any_of(sharding.dimensions.begin(), sharding.dimensions.end(),
                        [](const Sharding::Dimension& dimension) { return !dimension.axes.empty(); }));
}

SlotLayout as_stated(const Type& type, const Sharding& sharding) {
    SlotLayout layout = everything_open(type);
    // On one device only, or inside a manual computation: nothing that we would cut.
    if (sharding.kind == Sharding::Kind::maximal)
        throw ModelError(
            "a value on one device only is not partitioned: capture the program after partitioning");
    if (sharding.kind != Sharding::Kind::tiled) return layout;
    if (!sharding.unreduced.empty())
        throw ModelError("unreduced axes are not partitioned: capture the program after partitioning");
    if (!sharding.dimensions.empty() && sharding.dimensions.size() != type.sizes.size())
        throw ModelError(fmt::format("a sharding of {} dimensions stands at an array of {}",
                                     sharding.dimensions.size(), type.sizes.size()));
    layout.stated = true;
    layout.dimensions = stated_layout(sharding);
    layout.dimensions.resize(type.sizes.size());
    for (std::size_t d = 0; d < type.sizes.size(); ++d)
        layout.open[d] = d < sharding.dimensions.size() && sharding.dimensions[d].open;
    layout.replicated = sharding.replicated;
    return layout;
}

class Statements {
  public:
    Statements(const Program& program, const Slots& slots) : program_{program}, slots_{slots} {
        for (std::size_t s = 0; s < slots.size(); ++s)
            layouts_.push_back(everything_open(slots.type(SlotId{s})));
    }

    std::vector<SlotLayout> all() {
        for (std::size_t v = 0; v < program_.values.size(); ++v)
            state(ValueId{v}, program_.shardings[program_.values[v].sharding.index()]);
        for (const Computation& computation : program_.computations)
            for (const Operation& operation : computation.operations) add(operation);
        const Computation& entry = program_[program_.entry];
        for (std::size_t i = 0; i < entry.results.size() && i < entry.result_shardings.size(); ++i)
            state(entry.results[i], program_.shardings[entry.result_shardings[i].index()]);
        return std::move(layouts_);
    }

  private:
    void add(const Operation& operation) {
        if (const auto* resharding = program_.attribute_if<Resharding>(operation))
            if (operation.results.count == 1) state(Program::result(operation), {resharding->sharding});
        const auto* manual = program_.attribute_if<ManualComputation>(operation);
        if (manual == nullptr) return;
        const auto operands = program_.operands(operation);
        for (std::size_t i = 0; i < operands.size() && i < manual->in.size(); ++i)
            state(operands[i], {manual->in[i]});
        for (std::size_t i = 0; i < operation.results.count && i < manual->out.size(); ++i)
            state(Program::result(operation, i), {manual->out[i]});
    }

    // The first statement of a value holds: a later one is met by moving it.
    void state(ValueId value, const std::vector<Sharding>& leaves) {
        const std::size_t count = slots_.count(value);
        for (std::size_t leaf = 0; leaf < count && !leaves.empty(); ++leaf) {
            const SlotId slot = slots_.of(value, leaf);
            // One sharding may stand for all leaves.
            const Sharding& sharding = leaves[leaves.size() == count ? leaf : 0];
            if (!layouts_[slot.index()].stated)
                layouts_[slot.index()] = as_stated(slots_.type(slot), sharding);
        }
    }

    const Program& program_;
    const Slots& slots_;
    std::vector<SlotLayout> layouts_;
};

}  // namespace

MeshId mesh_of(const Program& program) {
    std::optional<MeshId> found;
    const auto meet = [&](const Sharding& sharding) {
        if (!names_axes(sharding)) return;
        const DeviceMesh& mesh = program.meshes[sharding.mesh.index()];
        if (!found) found = sharding.mesh;
        if (program.meshes[found->index()] != mesh)
            throw ModelError(fmt::format(
                "two meshes in one program ('{}' and '{}') are not partitioned: capture the program "
                "after partitioning",
                program.meshes[found->index()].name, mesh.name));
    };
    for (const auto& leaves : program.shardings)
        for (const Sharding& sharding : leaves) meet(sharding);
    for (const Attribute& attribute : program.attributes) {
        if (const auto* resharding = std::get_if<Resharding>(&attribute)) meet(resharding->sharding);
        if (const auto* manual = std::get_if<ManualComputation>(&attribute)) {
            for (const Sharding& sharding : manual->in) meet(sharding);
            for (const Sharding& sharding : manual->out) meet(sharding);
        }
    }
    if (!found) throw ModelError("the program names no sharding over devices: nothing to partition");
    return *found;
}

std::vector<SlotLayout> layouts_before(const Program& program, const Slots& slots) {
    return Statements{program, slots}.all();
}

Layout stated_layout(const Sharding& sharding) {
    Layout layout;
    for (const Sharding::Dimension& dimension : sharding.dimensions)
        layout.push_back(sharding.kind == Sharding::Kind::tiled ? normalized(dimension.axes) : Axes{});
    return layout;
}

std::vector<Layout> stated_layouts(const Program& program, ShardingId sharding, const Slots& slots,
                                   ValueId value) {
    std::vector<Layout> result;
    const auto& leaves = program.shardings[sharding.index()];
    const std::size_t count = slots.count(value);
    for (std::size_t leaf = 0; leaf < count && !leaves.empty(); ++leaf)
        result.push_back(
            as_stated(slots.type(slots.of(value, leaf)), leaves[leaves.size() == count ? leaf : 0])
                .dimensions);
    return result;
}

bool is_sharding_call(const Program& program, const Operation& operation) {
    const auto* call = program.attribute_if<ForeignCall>(operation);
    if (operation.opcode != Opcode::custom_call || call == nullptr) return false;
    const std::string_view target = program.text(call->target);
    return target == "Sharding" || target == "xla.sdy.FuncResultSharding";
}

}  // namespace dse::ir::partition
