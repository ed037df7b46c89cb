#include "ir/mlir/sharding_text.hpp"

#include <utility>

#include <fmt/format.h>

namespace dse::ir::mlir {

ShardingId ShardingText::of_dictionary(std::string_view text, std::span<const TypeId> types) {
    if (text.empty()) return no_sharding;
    return of_entries(text_.fields(text), types);
}

ShardingId ShardingText::of_entries(std::span<const Statement::Entry> entries,
                                    std::span<const TypeId> types) {
    if (types.empty()) return no_sharding;  // of an operation without results; it says where it runs
    for (const Statement::Entry& entry : entries) {
        if (entry.key != "sdy.sharding" || entry.value.empty()) continue;
        std::vector<Sharding> stated = sdy_.shardings(text_.at(entry.value));
        if (stated.size() != types.size())
            text_.refuse(entry.value, fmt::format("{} shardings for {} values", stated.size(), types.size()));
        return builder_.sharding(std::move(stated));
    }
    return no_sharding;
}

void ShardingText::assign(ShardingId sharding, Range results) {
    Program& program = builder_.program();
    if (results.count == 1) {
        program.values[results.first].sharding = sharding;
        return;
    }
    for (std::uint32_t i = 0; i < results.count; ++i) {
        const std::vector<Sharding>& leaves = program.shardings[sharding.index()];
        if (i < leaves.size()) program.values[results.first + i].sharding = builder_.sharding({leaves[i]});
    }
}

// Source: JAX and XLA, the custom calls by which shardings travel through StableHLO
void ShardingText::restate(Opcode& opcode, Attribute& attribute, ShardingId sharding) {
    const auto* call = std::get_if<ForeignCall>(&attribute);
    if (call == nullptr || sharding == no_sharding) return;
    const Program& program = builder_.program();
    const std::string_view target = program.text(call->target);
    if (target != "Sharding" && target != "xla.sdy.FuncResultSharding") return;
    opcode = Opcode::sharding_constraint;
    attribute = Resharding{program.shardings[sharding.index()].front()};
}

}  // namespace dse::ir::mlir
