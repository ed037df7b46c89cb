#include "dse/ir/program/cost/program_cost.hpp"

#include <algorithm>
#include <optional>

#include "dse/base/error.hpp"
#include "dse/ir/program/cost/cost_analysis.hpp"
#include "dse/ir/program/cost/operation_traffic.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/deepest_call.hpp"
#include "ir/program/group_size.hpp"

namespace dse::ir {
namespace {

/// A message is counted at its sender only.
std::optional<Opcode> collective(Opcode opcode) {
    const OpcodeTraits& known = traits(opcode);
    if (known.exchange == Exchange::none || known.exchange == Exchange::receive) return std::nullopt;
    return known.start_of == Opcode::unknown ? opcode : known.start_of;
}

/// Payload of a collective: all of its operands, except for the positions and destination buffers that some
/// have.
double payload(const Program& program, const Operation& operation, Opcode kind) {
    const bool first_only = kind == Opcode::send || kind == Opcode::ragged_all_to_all ||
                            kind == Opcode::collective_broadcast ||
                            (kind == Opcode::collective_permute && operation.operands.count == 4);
    const auto operands = program.operands(operation);
    if (first_only && !operands.empty()) return program.types.bytes(program.type_of(operands[0]));
    return operand_bytes(program, operation);
}

/// Bytes that one device sends with a ring algorithm; an all-gather sends every part but one, once.
double sent_by_ring(const Program& program, const Operation& operation, Opcode kind, double bytes) {
    const auto* communication = program.attribute_if<Communication>(operation);
    if (communication == nullptr) return bytes;
    const auto members = static_cast<double>(std::max<std::int64_t>(group_size(program, *communication), 1));
    switch (traits(kind).exchange) {
        case Exchange::all_gather:
            return bytes * (members - 1);
        case Exchange::all_reduce:
            return 2 * bytes * (members - 1) / members;
        case Exchange::reduce_scatter:
        case Exchange::all_to_all:
            return bytes * (members - 1) / members;
        default:
            return bytes;
    }
}

/// Collectives of computations, each computation analysed once.
class Collectives {
  public:
    using Totals = std::map<Opcode, CollectiveTotal>;

    explicit Collectives(const Program& program) : program_{program}, known_(program.computations.size()) {}

    const Totals& of(ComputationId id) {
        auto& known = known_[id.index()];
        if (known) return *known;
        if (depth_ == deepest_call) throw InputError("the program's calls are nested too deeply");
        ++depth_;
        Totals sum;
        for (const Operation& operation : program_[id].operations) add(sum, operation);
        --depth_;
        known_[id.index()] = std::move(sum);
        return *known_[id.index()];
    }

  private:
    void add(Totals& sum, const Operation& operation) {
        if (const auto kind = collective(operation.opcode)) {
            const double bytes = payload(program_, operation, *kind);
            add(sum, *kind, {*kind, 1, bytes, sent_by_ring(program_, operation, *kind, bytes)}, 1);
            return;
        }
        double times = 1;
        if (const auto* loop = program_.attribute_if<Loop>(operation))
            times = static_cast<double>(loop->trip_count.value_or(1));
        Totals called;
        for (const ComputationId id : program_.called(operation))
            for (const auto& [kind, total] : of(id)) {
                if (operation.opcode == Opcode::conditional)
                    called[kind] = std::max(called[kind], total,
                                            [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
                else
                    add(called, kind, total, 1);
            }
        for (const auto& [kind, total] : called) add(sum, kind, total, times);
    }

    static void add(Totals& sum, Opcode kind, const CollectiveTotal& total, double times) {
        CollectiveTotal& one = sum[kind];
        one.kind = kind;
        one.count += times * total.count;
        one.bytes += times * total.bytes;
        one.sent += times * total.sent;
    }

    const Program& program_;
    std::vector<std::optional<Totals>> known_;
    int depth_{0};
};

void count_operators(const Program& program, const ForeignCosts& foreign, ProgramCost& cost) {
    std::vector<std::int64_t> counts(program.names.size());
    for (const Computation& computation : program.computations) {
        for (const Operation& operation : computation.operations) {
            ++counts[operation.name.index()];
            if (opcode_class(operation.opcode) == OpcodeClass::foreign && !foreign.cost(program, operation))
                ++cost.unknown[std::string{foreign_name(program, operation)}];
            const auto* loop = program.attribute_if<Loop>(operation);
            if (loop != nullptr && !loop->trip_count) ++cost.endless_loops;
        }
    }
    for (std::size_t name = 1; name < counts.size(); ++name)
        if (counts[name] > 0) cost.operators.emplace(program.text(NameId{name}), counts[name]);
}

}  // namespace

ProgramCost program_cost(const Program& program, const ForeignCosts& foreign) {
    ProgramCost cost;
    cost.once = CostAnalysis{program, foreign, LoopCounting::once}.computation(program.entry);
    cost.by_trips = CostAnalysis{program, foreign, LoopCounting::by_trip_count}.computation(program.entry);
    Collectives collectives{program};
    for (const auto& [kind, total] : collectives.of(program.entry)) cost.collectives.push_back(total);
    count_operators(program, foreign, cost);
    return cost;
}

}  // namespace dse::ir
