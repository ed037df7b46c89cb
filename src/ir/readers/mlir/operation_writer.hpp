#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/readers/mlir/attribute_text.hpp"
#include "ir/readers/mlir/operation_table.hpp"
#include "ir/readers/mlir/sdy_text.hpp"
#include "ir/readers/mlir/sharding_text.hpp"
#include "ir/readers/mlir/statement.hpp"
#include "ir/readers/mlir/tokens.hpp"
#include "ir/readers/mlir/type_reader.hpp"
#include "ir/readers/mlir/value_scopes.hpp"

namespace dse::ir::mlir {

/// Determines the meaning of statements and appends them to the program.
class OperationWriter {
  public:
    OperationWriter(Tokens& tokens, const Aliases& aliases, TypeReader& types, ValueScopes& scopes,
                    SdyText& sdy, ProgramBuilder& builder)
        : tokens_{tokens},
          types_{types},
          scopes_{scopes},
          sdy_{sdy},
          builder_{builder},
          text_{tokens, aliases, types},
          shardings_{text_, sdy, builder, tokens.source()} {}

    /// Appends the operation and defines the names of its results. \throws InputError
    void write(const Statement& statement, ComputationId into);

    /// Resolves calls once all functions have been read.
    /// \throws InputError if a call names no function, has operands that do not match its arguments, or is
    ///     recursive
    using Functions = std::unordered_map<std::string_view, ComputationId>;
    void resolve_calls(const Functions& functions);

    [[nodiscard]] AttributeText& text() { return text_; }
    [[nodiscard]] ShardingText& shardings() { return shardings_; }

  private:
    struct Known {
        KnownOperation operation;
        NameId name;
        bool has_known_dialect;
    };
    struct PendingCall {
        std::size_t index;  // index in the program's called_list
        std::string_view symbol;
        std::size_t operands;
        Range results;
    };

    const Known& known(std::string_view name);
    void find_result_types(const Statement& statement, bool is_strict);
    void check_operands(const Statement& statement);
    void find_called(const Statement& statement, const KnownOperation& operation);
    void add_symbols(std::string_view text);
    void check_call(const PendingCall& call, const Computation& function);
    void refuse_recursion();
    ComputationId reducer(const Statement& statement);
    void name_results(const Statement& statement, Range results);
    [[noreturn]] void refuse(const Statement& statement, std::string_view reason);

    Tokens& tokens_;
    TypeReader& types_;
    ValueScopes& scopes_;
    SdyText& sdy_;
    ProgramBuilder& builder_;
    AttributeText text_;
    ShardingText shardings_;
    std::unordered_map<std::string_view, Known> known_;
    std::vector<TypeId> result_types_;
    std::vector<ComputationId> called_;
    std::vector<std::string_view> symbols_;  // called functions, in addition to called_
    std::vector<PendingCall> pending_;
};

}  // namespace dse::ir::mlir
