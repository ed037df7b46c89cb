#include "dse/ir/passes/fusion.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "fusion_clusters.hpp"
#include "program_copy.hpp"

namespace dse::ir {
namespace {

/// Computations that operations apply to elements, or that are fused already: no kernels run in them.
std::vector<char> applied_computations(const Program& program) {
    std::vector<char> applied(program.computations.size(), 0);
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            const bool runs =
                opcode_class(operation.opcode) == OpcodeClass::control && operation.opcode != Opcode::fusion;
            if (runs) continue;
            for (const ComputationId called : program.called(operation)) applied[called.index()] = 1;
        }
    }
    return applied;
}

class Fuser {
  public:
    Fuser(const Program& program, FusionLevel level)
        : program_{program}, level_{level}, uses_{program}, copy_{program} {}

    Program run() {
        const std::vector<char> applied = applied_computations(program_);
        // Existing computations keep their numbers.
        for (std::size_t c = 0; c < program_.computations.size(); ++c) copy_.open(ComputationId{c});
        for (std::size_t c = 0; c < program_.computations.size(); ++c) {
            if (applied[c] == 0) {
                fuse(ComputationId{c});
            } else {
                for (const Operation& operation : program_[ComputationId{c}].operations)
                    copy_.copy(operation, ComputationId{c}, program_.called(operation));
            }
            copy_.close(ComputationId{c}, ComputationId{c});
        }
        Program result = copy_.take();
        result.entry = program_.entry;
        return result;
    }

  private:
    using Inner = std::unordered_map<std::size_t, ValueId>;  ///< by old value, in the fused computation

    void fuse(ComputationId id) {
        const FusionClusters clusters(program_, uses_, id, level_);
        const std::vector<Operation>& operations = program_[id].operations;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (clusters.is_repeated(i) || clusters.root_of(i) != i) continue;
            if (clusters.is_fused(i)) {
                add_fusion(clusters, i, id);
            } else {
                for (const ValueId operand : program_.operands(operations[i])) make(operand, clusters, id);
                copy_.copy(operations[i], id, program_.called(operations[i]));
            }
        }
        for (const ValueId result : program_[id].results) make(result, clusters, id);
    }

    /// The operation that is duplicated wherever the value is read; nullptr if it is executed once.
    [[nodiscard]] const Operation* repeated(ValueId value, const FusionClusters& clusters,
                                            ComputationId id) const {
        const Value& made = program_[value];
        if (made.owner != id || made.operation < 0) return nullptr;
        const auto number = static_cast<std::size_t>(made.operation);
        return clusters.is_repeated(number) ? &program_[id].operations[number] : nullptr;
    }

    /// Writes a repeated value that is read outside of kernels.
    void make(ValueId value, const FusionClusters& clusters, ComputationId id) {
        if (copy_.has(value)) return;
        const Operation* operation = repeated(value, clusters, id);
        if (operation == nullptr) return;
        for (const ValueId operand : program_.operands(*operation)) make(operand, clusters, id);
        copy_.copy(*operation, id, program_.called(*operation));
    }

    void add_fusion(const FusionClusters& clusters, std::size_t root, ComputationId id) {
        const std::vector<Operation>& operations = program_[id].operations;
        const ComputationId fused = copy_.builder().computation("fused");
        Inner inner;
        std::vector<ValueId> outer;
        for (const std::size_t member : clusters.members_of(root))
            add_inner(operations[member], fused, clusters, id, inner, outer);
        const ValueId result = Program::result(operations[root]);
        copy_.builder().results(fused, std::vector{inner.at(result.index())});
        ProgramBuilder& builder = copy_.builder();
        const std::vector<TypeId> types{program_.type_of(result)};
        const std::vector<ComputationId> called{fused};
        const Operation& namesake = operations[clusters.namesake_of(root)];
        copy_.set(result,
                  builder.value(id, {.opcode = Opcode::fusion,
                                     .name = builder.name("fusion"),
                                     .label = namesake.label == no_name ? namesake.name : namesake.label,
                                     .operands = outer,
                                     .results = types,
                                     .called = called,
                                     .attribute = builder.attribute(Fusion{}),
                                     .line = namesake.line}));
    }

    void add_inner(const Operation& operation, ComputationId fused, const FusionClusters& clusters,
                   ComputationId id, Inner& inner, std::vector<ValueId>& outer) {
        std::vector<ValueId> operands;
        for (const ValueId operand : program_.operands(operation)) {
            const auto known = inner.find(operand.index());
            if (known != inner.end()) {
                operands.push_back(known->second);
                continue;
            }
            if (const Operation* made = repeated(operand, clusters, id)) {
                add_inner(*made, fused, clusters, id, inner, outer);
                operands.push_back(inner.at(operand.index()));
                continue;
            }
            outer.push_back(copy_[operand]);
            operands.push_back(copy_.builder().argument(fused, program_.type_of(operand)));
            inner.emplace(operand.index(), operands.back());
        }
        const ValueId result = Program::result(operation);
        const std::vector<TypeId> types{program_.type_of(result)};
        ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
        draft.operands = operands;
        draft.results = types;
        draft.called = program_.called(operation);
        inner.emplace(result.index(), copy_.builder().value(fused, draft));
    }

    const Program& program_;
    FusionLevel level_;
    Uses uses_;
    ProgramCopy copy_;
};

}  // namespace

bool has_fusions(const Program& program) {
    return std::any_of(program.computations.begin(), program.computations.end(), [](const Computation& c) {
        return std::any_of(c.operations.begin(), c.operations.end(),
                           [](const Operation& operation) { return operation.opcode == Opcode::fusion; });
    });
}

Program fuse(const Program& program, FusionLevel level) {
    return Fuser{program, level}.run();
}

}  // namespace dse::ir
