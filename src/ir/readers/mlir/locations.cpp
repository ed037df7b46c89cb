#include "ir/readers/mlir/locations.hpp"

#include "dse/base/error.hpp"

namespace dse::ir::mlir {
namespace {

// Chains of locations are as long as call chains; beyond this depth there is no useful name.
constexpr int deepest_location = 100;

// Older versions of JAX write `ppermute:`, a name without a type.
std::string_view without_colon(std::string_view name) {
    return name.ends_with(':') ? name.substr(0, name.size() - 1) : name;
}

}  // namespace

std::string_view LocationNames::name(std::string_view text) {
    const std::size_t behind = tokens_.position();
    std::string_view found;
    try {
        found = read(text, deepest_location);
    } catch (const InputError&) {
        found = {};  // unknown forms of locations are no reason to reject a program
    }
    tokens_.move_to(behind);
    return found;
}

std::string_view LocationNames::read(std::string_view text, int depth) {
    if (depth == 0 || text.empty()) return {};
    tokens_.move_to(tokens_.offset(text));
    tokens_.skip();
    if (tokens_.peek() == '#') {
        const std::size_t begin = tokens_.position();
        tokens_.advance();
        tokens_.suffix();
        return of_alias(tokens_.since(begin), depth);
    }
    if (tokens_.peek() == '"') {
        const std::string_view quoted = tokens_.quoted();
        return tokens_.peek() == ':' ? std::string_view{} : without_colon(quoted);
    }
    const std::string_view kind = tokens_.identifier();
    if (kind == "callsite") return read(tokens_.bracketed(), depth - 1);
    if (kind != "fused") return {};
    if (tokens_.peek() == '<') tokens_.bracketed();  // metadata
    return first_of_fused(tokens_.bracketed(), depth);
}

std::string_view LocationNames::first_of_fused(std::string_view text, int depth) {
    const std::size_t end = tokens_.offset(text) + text.size();
    std::size_t next = tokens_.offset(text);
    while (next < end) {
        const std::string_view part = tokens_.text().substr(next, end - next);
        const std::string_view found = read(part, depth - 1);
        if (!found.empty()) return found;
        tokens_.move_to(next);
        for (tokens_.skip(); tokens_.position() < end && tokens_.peek() != ','; tokens_.skip()) {
            const char c = tokens_.peek();
            if (c == '"')
                tokens_.quoted();
            else if (c == '(' || c == '[' || c == '<' || c == '{')
                tokens_.bracketed();
            else
                tokens_.advance();
        }
        next = tokens_.position() + 1;
    }
    return {};
}

std::string_view LocationNames::of_alias(std::string_view alias, int depth) {
    // An alias has no name while it is being resolved, which ends cycles.
    const auto [known, is_new] = known_.try_emplace(alias);
    if (!is_new) return known->second;
    const auto stated = aliases_.find(alias);
    if (stated == aliases_.end()) return {};
    tokens_.move_to(tokens_.offset(stated->second));
    if (!tokens_.accept_word("loc")) return {};
    const std::string_view found = read(tokens_.bracketed(), depth - 1);
    known_[alias] = found;
    return found;
}

void LocationNames::label(Program& program, const Locations& locations) {
    for (const Locations::Stated& stated : locations.stated()) {
        const std::string_view found = name(stated.text);
        if (found.empty()) continue;
        program.computations[stated.computation.index()].operations[stated.operation].label =
            NameId{program.names.add(found)};
    }
}

}  // namespace dse::ir::mlir
