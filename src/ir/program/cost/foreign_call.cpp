#include "foreign_call.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "dse/ir/program/cost/operation_traffic.hpp"

namespace dse::ir {
namespace {

std::string_view configuration_of(const Program& program, const Operation& operation) {
    const auto* foreign = program.attribute_if<ForeignCall>(operation);
    return foreign == nullptr ? std::string_view{} : program.text(foreign->configuration);
}

}  // namespace

ForeignView::ForeignView(const Program& in, const Operation& call)
    : program{in}, operation{call}, configuration{configuration_of(in, call)} {}

const Type* ForeignView::operand(std::size_t i) const {
    const auto operands = program.operands(operation);
    return i < operands.size() ? &program.types[program.type_of(operands[i])] : nullptr;
}

double ForeignView::elements(std::size_t i) const {
    const auto operands = program.operands(operation);
    return i < operands.size() ? program.types.elements(program.type_of(operands[i])) : 0;
}

TypeId ForeignView::result() const {
    const TypeId type = program.type_of(Program::result(operation));
    const Type& whole = program.types[type];
    return whole.kind == Type::Kind::tuple && !whole.members.empty() ? whole.members[0] : type;
}

double ForeignView::bytes() const {
    double sum = operand_bytes(program, operation);
    for (std::uint32_t i = 0; i < operation.results.count; ++i) {
        const TypeId type = program.type_of(Program::result(operation, i));
        sum += program.types.bytes(type);
        for (const TypeId member : program.types[type].members)
            if (program.types[member].element == ElementType::u8) sum -= program.types.bytes(member);
    }
    return sum;
}

std::optional<double> ForeignView::number(std::string_view key) const {
    const std::size_t at = configuration.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t digit = configuration.find_first_of("-0123456789", at + key.size());
    if (digit == std::string_view::npos) return std::nullopt;
    std::int64_t value = 0;
    const char* end = configuration.data() + configuration.size();
    if (std::from_chars(configuration.data() + digit, end, value).ec != std::errc{}) return std::nullopt;
    return static_cast<double>(value);
}

Sizes configured_numbers(std::string_view configuration, std::string_view key, std::string_view inner) {
    Sizes result;
    std::size_t at = configuration.find(key);
    if (at != std::string_view::npos && !inner.empty()) at = configuration.find(inner, at);
    if (at == std::string_view::npos) return result;
    const std::size_t end = std::min(configuration.find(']', at), configuration.size());
    for (at = configuration.find('[', at); at < end; ++at) {
        std::int64_t value = 0;
        const auto [next, error] =
            std::from_chars(configuration.data() + at, configuration.data() + end, value);
        if (error != std::errc{}) continue;
        result.push_back(value);
        at = static_cast<std::size_t>(next - configuration.data());
    }
    return result;
}

}  // namespace dse::ir
