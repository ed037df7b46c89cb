#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/readers/mlir/aliases.hpp"
#include "ir/readers/mlir/locations.hpp"
#include "ir/readers/mlir/operation_writer.hpp"
#include "ir/readers/mlir/sdy_text.hpp"
#include "ir/readers/mlir/statement_reader.hpp"
#include "ir/readers/mlir/tokens.hpp"
#include "ir/readers/mlir/type_reader.hpp"
#include "ir/readers/mlir/value_scopes.hpp"

namespace dse::ir::mlir {

/// A program whose operations are not labelled yet.
struct ReadModule {
    Program program;
    Locations locations;
};

/// Reads one module: the contents of `module { … }`, or of a part of a file outside of all modules. Nested
/// modules are programs of their own.
class ProgramReader final : public RegionReader {
  public:
    /// \param done  receives the finished program and the nested ones
    ProgramReader(Tokens& tokens, Aliases& aliases, std::vector<ReadModule>& done);

    /// Reads operations and functions up to a '}' or the end of the text or part. \throws InputError
    void body();
    /// Completes the program, if there is one. \throws InputError if a call cannot be resolved
    void finish();

    ComputationId region(const std::vector<Statement::Argument>& arguments) override;

  private:
    struct Symbol {
        std::string_view name;
        bool is_public;
        bool has_body;
    };

    void statement(std::optional<ComputationId> into);
    void operation(const Statement& statement, std::optional<ComputationId> into);
    void alias();
    void module();
    void function(const Statement& head);
    std::vector<Statement::Argument> function_arguments();
    std::vector<TypeId> function_results(std::vector<ShardingId>& shardings);
    void check_returned(std::string_view name, const Computation& function,
                        const std::vector<TypeId>& stated);
    void add_aliases(ComputationId id, const std::vector<Statement::Argument>& arguments);
    void generic_function(const Statement& statement);
    void define_function(std::string_view name, ComputationId id, bool is_public, bool has_body);
    void module_attributes(const std::vector<Statement::Entry>& entries);
    void mesh(const Statement& statement);
    void block(ComputationId id, const std::vector<Statement::Argument>& arguments,
               ValueScopes::Surroundings surroundings);
    void block_label(ComputationId id);
    void add_arguments(ComputationId id, const std::vector<Statement::Argument>& arguments);
    ComputationId module_body();
    void choose_entry();

    Tokens& tokens_;
    Aliases& aliases_;
    std::vector<ReadModule>& done_;
    Program program_;
    ProgramBuilder builder_{program_};
    ValueScopes scopes_;
    TypeReader types_;
    SdyText sdy_;
    OperationWriter writer_;
    StatementReader reader_;
    std::deque<Statement> open_;  ///< statements being read, each in a region of the previous one; kept to
                                  ///< reuse their memory
    std::size_t depth_{0};
    OperationWriter::Functions functions_;
    Locations locations_;
    std::vector<Symbol> symbols_;  ///< functions in text order
    std::unordered_map<ComputationId, std::vector<BufferAlias>> buffer_aliases_;
    bool has_module_body_{false};
    ComputationId module_body_;
};

}  // namespace dse::ir::mlir
