#include "alias_reader.hpp"

namespace dse::ir::hlo {
namespace {

/// `(2, {}, may-alias)`
void read_parameter(Scanner& scanner, StatedAlias& alias) {
    scanner.expect('(');
    alias.parameter = scanner.integer();
    scanner.expect(',');
    alias.element = scanner.sizes();
    if (scanner.accept(',')) (void)scanner.name();
    scanner.expect(')');
}

/// The number of the first leaf of an element; nothing if there is no such element.
std::optional<std::uint32_t> leaf_number(const TypeTable& types, TypeId type, const Sizes& way) {
    std::uint32_t number = 0;
    for (const std::int64_t step : way) {
        const Type& tuple = types[type];
        if (tuple.kind != Type::Kind::tuple || step < 0 ||
            static_cast<std::size_t>(step) >= tuple.members.size())
            return std::nullopt;
        for (std::size_t i = 0; i < static_cast<std::size_t>(step); ++i)
            number += types.leaves(tuple.members[i]);
        type = tuple.members[static_cast<std::size_t>(step)];
    }
    return number;
}

}  // namespace

std::vector<StatedAlias> read_aliases(Scanner& scanner) {
    std::vector<StatedAlias> aliases;
    scanner.expect('{');
    if (scanner.accept('}')) return aliases;
    do {
        StatedAlias& alias = aliases.emplace_back();
        scanner.skip();
        alias.place = scanner.position();
        alias.result = scanner.sizes();
        scanner.expect(':');
        read_parameter(scanner, alias);
    } while (scanner.accept(','));
    scanner.expect('}');
    return aliases;
}

std::vector<StatedAlias> read_donors(Scanner& scanner) {
    std::vector<StatedAlias> donors;
    scanner.expect('{');
    if (scanner.accept('}')) return donors;
    do {
        StatedAlias& donor = donors.emplace_back();
        scanner.skip();
        donor.place = scanner.position();
        read_parameter(scanner, donor);
    } while (scanner.accept(','));
    scanner.expect('}');
    return donors;
}

std::vector<BufferAlias> leaves_of(const std::vector<StatedAlias>& stated, const Program& program,
                                   const Scanner& scanner) {
    const Computation& entry = program[program.entry];
    std::vector<std::uint32_t> first_leaves;
    std::uint32_t leaves = 0;
    for (const ValueId argument : entry.arguments) {
        first_leaves.push_back(leaves);
        leaves += program.types.leaves(program.type_of(argument));
    }
    std::vector<BufferAlias> aliases;
    for (const StatedAlias& alias : stated) {
        BufferAlias& added = aliases.emplace_back();
        const auto parameter = static_cast<std::size_t>(alias.parameter);
        if (alias.parameter < 0 || parameter >= entry.arguments.size())
            scanner.refuse(alias.place, "the entry has no such parameter");
        const auto element =
            leaf_number(program.types, program.type_of(entry.arguments[parameter]), alias.element);
        if (!element) scanner.refuse(alias.place, "the parameter has no such element");
        added.argument = first_leaves[parameter] + *element;
        if (!alias.result) continue;
        const auto result = leaf_number(program.types, program.type_of(entry.results[0]), *alias.result);
        if (!result) scanner.refuse(alias.place, "the result has no such element");
        added.result = *result;
    }
    return aliases;
}

}  // namespace dse::ir::hlo
