#include "dse/ir/passes/library_exchanges.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ir/program/mesh_groups.hpp"
#include "program_copy.hpp"

namespace dse::ir {
namespace {

constexpr std::array<std::string_view, 1> exchanging{"pfft3d"};

bool exchanges(const Program& program, const Operation& operation) {
    const auto* call = program.attribute_if<ForeignCall>(operation);
    if (call == nullptr || operation.results.count != 1) return false;
    return std::find(exchanging.begin(), exchanging.end(), program.text(call->target)) != exchanging.end();
}

bool is_cut(const Sharding& sharding) {
    return sharding.kind == Sharding::Kind::tiled &&
           std::any_of(sharding.dimensions.begin(), sharding.dimensions.end(),
                       [](const Sharding::Dimension& dimension) { return parts_of(dimension.axes) > 1; });
}

/// The partitioning of the program's arrays; nullptr if it is not stated.
const Sharding* grid_of(const Program& program) {
    for (const Value& value : program.values) {
        if (value.owner != program.entry) continue;
        for (const Sharding& leaf : program.shardings[value.sharding.index()]) {
            if (is_cut(leaf)) return &leaf;
        }
    }
    return nullptr;
}

class ExchangeWriter {
  public:
    ExchangeWriter(const Program& program, const Sharding& grid)
        : program_{program}, grid_{grid}, copy_{program} {}

    Program run() {
        return copy_.write_all([this](ComputationId old, ComputationId now) {
            for (const Operation& operation : program_[old].operations) add(operation, now);
        });
    }

  private:
    void add(const Operation& operation, ComputationId into) {
        copy_.copy(operation, into, program_.called(operation));  // computations keep their numbers
        if (!exchanges(program_, operation)) return;
        const ValueId array = Program::result(operation);
        for (auto dimension = grid_.dimensions.rbegin(); dimension != grid_.dimensions.rend(); ++dimension) {
            if (parts_of(dimension->axes) > 1) exchange(operation, array, dimension->axes, into);
        }
    }

    void exchange(const Operation& call, ValueId array, const std::vector<AxisRef>& axes,
                  ComputationId into) {
        Communication communication;
        communication.groups = groups_along(program_.meshes[grid_.mesh.index()], axes);
        communication.mode = GroupMode::flattened_ids;
        ProgramBuilder& builder = copy_.builder();
        const std::array operands{copy_[array]};
        const std::array types{program_.type_of(array)};
        copy_.set(array, builder.value(into, {.opcode = Opcode::all_to_all,
                                              .name = builder.name("all-to-all"),
                                              .label = call.label,
                                              .operands = operands,
                                              .results = types,
                                              .attribute = builder.attribute(std::move(communication)),
                                              .line = call.line}));
    }

    const Program& program_;
    const Sharding& grid_;
    ProgramCopy copy_;
};

}  // namespace

Program with_library_exchanges(Program program) {
    const auto calls = [&](const Computation& computation) {
        return std::any_of(computation.operations.begin(), computation.operations.end(),
                           [&](const Operation& operation) { return exchanges(program, operation); });
    };
    const Sharding* grid = grid_of(program);
    if (grid == nullptr || std::none_of(program.computations.begin(), program.computations.end(), calls))
        return program;
    return ExchangeWriter{program, *grid}.run();
}

}  // namespace dse::ir
