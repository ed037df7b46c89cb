#include "instruction_draft.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

#include "dse/ir/program/group_mode.hpp"

namespace dse::ir::hlo {
namespace {

// Longer ones are programs of their own (Pallas kernels), which are not analysed.
constexpr std::size_t longest_configuration = std::size_t{1} << 14U;

/// Reads `"known_trip_count":{"n":"7"}` with any escaping; nothing if there is no count, as in `{"n":"-7"}`.
/// The trip count then follows from the loop's condition.
std::optional<std::int64_t> stated_trip_count(std::string_view configuration) {
    constexpr std::string_view key = "known_trip_count";
    const std::size_t begin = configuration.find(key);
    if (begin == std::string_view::npos) return std::nullopt;
    std::string_view rest = configuration.substr(begin + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("\\\":{ n"), rest.size()));
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (error != std::errc{} || count < 0) return std::nullopt;
    const char next = end == rest.data() + rest.size() ? '"' : *end;
    return std::string_view{"\\\"}"}.find(next) == std::string_view::npos ? std::nullopt
                                                                          : std::optional{count};
}

bool only_states_sharding(std::string_view target) {
    return target == "Sharding" || target == "xla.sdy.FuncResultSharding";
}

void finish_foreign(InstructionDraft& draft, ForeignCall& call, ProgramBuilder& builder) {
    const bool short_enough = draft.backend_config.size() <= longest_configuration;
    if (short_enough) call.configuration = builder.name(draft.backend_config);
    if (draft.operands.size() != 1 || draft.sharding.size() != 1) return;
    if (!only_states_sharding(builder.program().text(call.target))) return;
    draft.opcode = Opcode::sharding_constraint;
    draft.attribute = Resharding{draft.sharding[0]};
}

}  // namespace

void finish(InstructionDraft& draft, ProgramBuilder& builder) {
    const Opcode opcode = draft.wrapped == Opcode::unknown ? draft.opcode : draft.wrapped;
    if (auto* communication = std::get_if<Communication>(&draft.attribute))
        communication->mode = stated_group_mode(opcode, communication->channel > 0, draft.global_ids);
    // XLA's scheduler found nothing to run concurrently: start and done are one.
    draft.blocks = opcode_class(opcode) == OpcodeClass::communication &&
                   draft.backend_config.find(R"("is_sync":true)") != std::string_view::npos;
    if (auto* loop = std::get_if<Loop>(&draft.attribute))
        loop->trip_count = stated_trip_count(draft.backend_config);
    if (opcode == Opcode::call && draft.is_composite) {
        draft.opcode = Opcode::composite;
        draft.attribute = ForeignCall{draft.composite, no_name, std::nullopt};
    }
    if (auto* call = std::get_if<ForeignCall>(&draft.attribute); call && opcode == Opcode::custom_call)
        finish_foreign(draft, *call, builder);
}

}  // namespace dse::ir::hlo
