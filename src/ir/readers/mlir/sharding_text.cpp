#include "ir/readers/mlir/sharding_text.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "ir/readers/mlir/sharding_bytes.hpp"

namespace dse::ir::mlir {
namespace {

// One of Shardy's attributes in a string, which may itself be inside a string.
Source within_quotes(std::string_view quoted) {
    std::string text = unescaped(unquoted(quoted));
    if (text.find('\\') != std::string::npos) text = unescaped(text);
    return Source::text(std::move(text), "attribute");
}

std::string_view of_key(const std::vector<Statement::Entry>& entries, std::string_view key) {
    for (const Statement::Entry& entry : entries)
        if (entry.key == key) return entry.value;
    return {};
}

}  // namespace

ShardingId ShardingText::of_dictionary(std::string_view text, std::span<const TypeId> types) {
    if (text.empty()) return no_sharding;
    return of_entries(text_.fields(text), types);
}

void ShardingText::define_meshes(std::string_view frontend_attributes) {
    const std::string_view meshes = of_key(text_.fields(frontend_attributes), "xla.sdy.meshes");
    if (meshes.empty()) return;
    try {
        const Source inner = within_quotes(meshes);
        Tokens tokens{inner};
        sdy_.define_all(tokens);
    } catch (const InputError& error) {
        text_.refuse(meshes, error.what());
    }
}

ShardingId ShardingText::of_entries(std::span<const Statement::Entry> entries,
                                    std::span<const TypeId> types) {
    if (entries.empty()) return no_sharding;
    if (types.empty()) return no_sharding;  // of an operation without results: states where it runs
    std::uint32_t leaves = 0;
    for (const TypeId type : types) leaves += builder_.program().types.leaves(type);
    for (const Statement::Entry& entry : entries) {
        std::vector<Sharding> found = stated(entry);
        if (found.empty()) continue;
        // GSPMD may state one sharding for all results.
        if (found.size() == 1 && leaves > 1 && entry.key == "mhlo.sharding")
            found.assign(leaves, found.front());
        if (found.size() != leaves)
            text_.refuse(entry.value, fmt::format("{} shardings for {} values", found.size(), leaves));
        return builder_.sharding(std::move(found));
    }
    return no_sharding;
}

std::vector<Sharding> ShardingText::stated(const Statement::Entry& entry) {
    if (entry.value.empty()) return {};
    if (entry.key == "sdy.sharding") return sdy_.shardings(text_.at(entry.value));
    if (entry.key == "mhlo.sharding") return of_string(text_.resolved(entry.value));
    if (entry.key != "mhlo.frontend_attributes") return {};
    const std::string_view quoted = of_key(text_.fields(entry.value), "xla.sdy.sharding");
    if (quoted.empty()) return {};
    try {
        const Source inner = within_quotes(quoted);
        Tokens tokens{inner};
        return sdy_.shardings(tokens);
    } catch (const InputError& error) {
        text_.refuse(quoted, error.what());
    }
}

// Reads GSPMD's string in place: `"{devices=[2,1]<=[2]}"`.
std::vector<Sharding> ShardingText::of_string(std::string_view quoted) {
    if (unquoted(quoted).empty()) return {};
    if (unquoted(quoted).front() != '{') return of_bytes(quoted);
    Tokens& tokens = text_.at(quoted);
    scanner_.move_to(tokens.position() + 1);
    std::vector<Sharding> result = gspmd_.read();
    if (scanner_.peek() != '"') scanner_.refuse("expected the end of the sharding");
    return result;
}

std::vector<Sharding> ShardingText::of_bytes(std::string_view quoted) {
    const auto words = sharding_words(unescaped(unquoted(quoted)));
    if (!words)
        text_.refuse(quoted, "expected a sharding, as text (such as '{replicated}') or as serialized bytes");
    try {
        const Source inner = Source::text(*words, "sharding");
        hlo::Scanner scanner{inner};
        hlo::ShardingReader reader{scanner, builder_.program()};
        reader.expect_devices(gspmd_.devices());
        std::vector<Sharding> result = reader.read();
        gspmd_.expect_devices(reader.devices());
        return result;
    } catch (const InputError& error) {
        text_.refuse(quoted, error.what());
    }
}

void ShardingText::assign(ShardingId sharding, Range results) {
    Program& program = builder_.program();
    if (results.count == 1) {
        program.values[results.first].sharding = sharding;
        return;
    }
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < results.count; ++i) {
        const std::vector<Sharding>& all = program.shardings[sharding.index()];
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(next);
        const std::uint32_t own = program.types.leaves(program.values[results.first + i].type);
        program.values[results.first + i].sharding = builder_.sharding({begin, begin + own});
        next += own;
    }
}

// Source: JAX and XLA, the custom calls that carry shardings through StableHLO
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
