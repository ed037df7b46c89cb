#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/readers/mlir/statement.hpp"
#include "ir/readers/mlir/tokens.hpp"
#include "ir/readers/mlir/type_reader.hpp"
#include "ir/readers/mlir/value_scopes.hpp"

namespace dse::ir::mlir {

/// Reads a region, whose '{' comes next, for the operation being read.
class RegionReader {
  public:
    RegionReader() = default;
    RegionReader(const RegionReader&) = delete;
    RegionReader& operator=(const RegionReader&) = delete;
    virtual ~RegionReader() = default;
    virtual ComputationId region(const std::vector<Statement::Argument>& arguments) = 0;
};

/// Reads any operation of any dialect with one grammar: results, a name, and a tail of operands, brackets,
/// dictionaries, regions, keywords and types, up to the end of a line after which nothing continues.
class StatementReader {
  public:
    StatementReader(Tokens& tokens, TypeReader& types, const ValueScopes& scopes, const Program& program,
                    RegionReader& regions)
        : tokens_{tokens}, types_{types}, scopes_{scopes}, program_{program}, regions_{regions} {}

    /// Reads results and name only. \throws InputError
    void head(Statement& statement);
    /// Reads what follows the name. \throws InputError
    void tail(Statement& statement);

    /// Appends the entries of `{key = value, …}`. \throws InputError
    static void dictionary(Tokens& tokens, std::vector<Statement::Entry>& entries);

  private:
    void type_list(std::vector<TypeId>& list);
    void bare_types(std::vector<TypeId>& list);
    bool token(Statement& statement, std::string& closers);
    bool word(Statement& statement);
    bool bracket(Statement& statement, std::string& closers);
    void value(Statement& statement, bool bracketed);
    void binding(Statement& statement, std::string_view name);
    void argument(Statement& statement, std::string_view name);
    ValueId operand(std::string_view name, std::size_t place);
    void braces(Statement& statement, bool in_brackets);
    void types(Statement& statement);
    void results(Statement& statement);
    [[nodiscard]] bool ends(const Statement& statement, bool new_line);

    Tokens& tokens_;
    TypeReader& types_;
    const ValueScopes& scopes_;
    const Program& program_;
    RegionReader& regions_;
};

}  // namespace dse::ir::mlir
