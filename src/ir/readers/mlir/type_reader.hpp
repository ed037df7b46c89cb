#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "dse/ir/program/type.hpp"
#include "ir/readers/mlir/aliases.hpp"
#include "ir/readers/mlir/tokens.hpp"

namespace dse::ir::mlir {

/// Reads types into a program's table. Equal texts are parsed only once.
class TypeReader {
  public:
    TypeReader(TypeTable& types, const Aliases& aliases) : types_{types}, aliases_{aliases} {}

    /// Reads the next type: builtin types with their sizes; tokens; shaped types of other dialects as arrays
    /// (`!torch.vtensor<[2,3],f32>`); all others as opaque.
    /// \throws InputError
    TypeId read(Tokens& tokens);
    /// Whether a type may come next.
    [[nodiscard]] static bool at_type(const Tokens& tokens);
    [[nodiscard]] const TypeTable& types() const { return types_; }
    /// The type of a value whose type is not stated.
    TypeId unknown() { return of_kind(Type::Kind::untyped); }

  private:
    TypeId parse(Tokens& tokens);
    TypeId function(Tokens& tokens);
    TypeId shaped(Tokens& tokens);
    TypeId tuple(Tokens& tokens);
    TypeId foreign(Tokens& tokens);
    TypeId of_kind(Type::Kind kind);
    TypeId scalar(ElementType element);
    ElementType element(Tokens& tokens);

    TypeTable& types_;
    const Aliases& aliases_;
    /// \return whether the next type is one of those read last; if so, it is consumed
    bool read_again(Tokens& tokens, TypeId& id) const;
    void remember(std::string_view text, TypeId id);

    std::unordered_map<std::string_view, TypeId> known_;
    /// Those read last with their brackets: neighbouring operations have few types.
    struct Recent {
        std::string_view text;
        TypeId id;
    };
    std::array<Recent, 4> recent_{};
    std::size_t oldest_{0};
    int depth_{0};
};

}  // namespace dse::ir::mlir
