#include "ir/readers/mlir/operation_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "ir/program/operation_fault.hpp"

namespace dse::ir::mlir {
void OperationWriter::refuse(const Statement& statement, std::string_view reason) {
    text_.refuse(statement.name, fmt::format("'{}': {}", statement.name, reason));
}

const OperationWriter::Known& OperationWriter::known(std::string_view name) {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    return known_
        .emplace(name, Known{known_operation(name), builder_.name(name), is_known_dialect(dialect_of(name))})
        .first->second;
}

void OperationWriter::write(const Statement& statement, ComputationId into) {
    const std::size_t behind = tokens_.position();
    const Known& known = this->known(statement.name);
    KnownOperation operation = known.operation;
    const std::vector<Operation>& before = builder_.program()[into].operations;
    if (!before.empty() && before.back().opcode == Opcode::terminator)
        refuse(statement, fmt::format("it follows line {}, which ends its region", before.back().line));
    const bool is_strict = statement.generic || known.has_known_dialect;
    find_result_types(statement, is_strict);
    if (is_strict) check_operands(statement);
    find_called(statement, operation);
    Attribute attribute;
    if (operation.extract != nullptr)
        attribute = operation.extract({statement, operation.opcode, text_, sdy_, builder_});
    if (const auto wrong = fault(
            {operation.opcode, statement.operands, result_types_, called_, attribute, operation.repetition},
            builder_.program()))
        refuse(statement, *wrong);
    const ShardingId sharding = shardings_.of_entries(statement.entries, result_types_);
    if (operation.opcode == Opcode::custom_call) shardings_.restate(operation.opcode, attribute, sharding);
    const Operation& added = builder_.append(into, {.opcode = operation.opcode,
                                                    .name = known.name,
                                                    .operands = statement.operands,
                                                    .results = result_types_,
                                                    .called = called_,
                                                    .attribute = builder_.attribute(std::move(attribute)),
                                                    .line = statement.line});
    for (std::size_t i = 0; i < symbols_.size(); ++i)
        pending_.push_back({added.called.first + called_.size() - symbols_.size() + i, symbols_[i],
                            statement.operands.size(), added.results});
    if (sharding != no_sharding) shardings_.assign(sharding, added.results);
    if (operation.opcode == Opcode::terminator) builder_.results(into, statement.operands);
    name_results(statement, added.results);
    tokens_.move_to(behind);
}

// `: T` is the type of every operand and result; `: T, U` lists types; `: (T) -> U` states operands and
// results.
void OperationWriter::find_result_types(const Statement& statement, bool is_strict) {
    result_types_.clear();
    std::size_t named = 0;
    for (const Statement::Result& result : statement.results) named += result.count;
    const std::vector<TypeId>& stated = statement.result_types;
    if (statement.functional) {
        if (named != stated.size() && (named != 0 || !statement.generic) && is_strict)
            refuse(statement, fmt::format("{} results have names, but {} have types", named, stated.size()));
        result_types_ = stated;
        if (named > stated.size()) result_types_.resize(named, types_.unknown());
        return;
    }
    if (named == 0) return;
    if (named == stated.size()) {
        result_types_ = stated;
    } else if (!stated.empty() && (named == 1 || stated.size() == 1)) {
        result_types_.assign(named, stated.back());  // `select %p, %x, %y : tensor<i1>, tensor<f32>`
    } else if (is_strict) {
        refuse(statement, stated.empty() ? std::string{"expected ':' and its type"}
                                         : fmt::format("{} results have names, but {} have types", named,
                                                       stated.size()));
    } else {
        result_types_.assign(named, types_.unknown());
    }
}

void OperationWriter::check_operands(const Statement& statement) {
    if (!statement.functional) return;
    const std::vector<TypeId>& stated = statement.operand_types;
    if (stated.size() != statement.operands.size())
        refuse(statement,
               fmt::format("{} operands, but {} operand types", statement.operands.size(), stated.size()));
    const Program& program = builder_.program();
    for (std::size_t i = 0; i < stated.size(); ++i) {
        const TypeId actual = program.type_of(statement.operands[i]);
        if (stated[i] == actual || program.types[actual].kind == Type::Kind::untyped) continue;
        refuse(statement, fmt::format("operand {} is {}, but its type here is {}", i + 1,
                                      program.types.text(actual), program.types.text(stated[i])));
    }
}

void OperationWriter::add_symbols(std::string_view text) {
    for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
        text_.at(text.substr(at));
        symbols_.push_back(tokens_.symbol());
    }
}

void OperationWriter::find_called(const Statement& statement, const KnownOperation& operation) {
    called_ = statement.regions;
    symbols_.clear();
    if (operation.opcode == Opcode::call) {
        add_symbols(statement.generic ? statement.value("callee") : statement.word('@'));
        if (symbols_.empty()) refuse(statement, "it does not name a function");
    } else if (!statement.entries.empty()) {
        add_symbols(statement.value("decomposition"));
        if (operation.opcode != Opcode::custom_call)
            add_symbols(statement.value("called_computations", "called_computation"));
    }
    if (operation.opcode == Opcode::reduce && !statement.generic && statement.says("applies"))
        called_.push_back(reducer(statement));
    called_.resize(called_.size() + symbols_.size(), ComputationId{0});
}

// `applies stablehlo.add` denotes a region with that operation on two scalars.
ComputationId OperationWriter::reducer(const Statement& statement) {
    std::string_view name;
    for (std::size_t i = 0; i + 1 < statement.words.size(); ++i)
        if (statement.words[i] == "applies") name = statement.words[i + 1];
    if (name.empty() || statement.operands.empty())
        refuse(statement, "it does not name the operation to apply");
    const Known& applied = known(name);
    if (applied.operation.extract != nullptr) refuse(statement, fmt::format("it cannot apply '{}'", name));
    const TypeId scalar = builder_.program().type_of(statement.operands.back());
    const ComputationId region = builder_.computation("", statement.line);
    const std::array arguments{builder_.argument(region, scalar), builder_.argument(region, scalar)};
    const std::array types{scalar};
    const ValueId result = builder_.value(region, {.opcode = applied.operation.opcode,
                                                   .name = applied.name,
                                                   .operands = arguments,
                                                   .results = types,
                                                   .line = statement.line});
    const std::array results{result};
    builder_.append(region, {.opcode = Opcode::terminator, .operands = results, .line = statement.line});
    builder_.results(region, results);
    return region;
}

void OperationWriter::name_results(const Statement& statement, Range results) {
    std::size_t next = results.first;
    for (const Statement::Result& result : statement.results) {
        if (!scopes_.define(result.name, {ValueId{next}, result.count}))
            text_.refuse(result.name, fmt::format("%{} is defined already", result.name));
        next += result.count;
    }
}

void OperationWriter::resolve_calls(const Functions& functions) {
    for (const PendingCall& call : pending_) {
        const auto found = functions.find(call.symbol);
        if (found == functions.end()) {
            std::vector<std::string> names;
            for (const auto& [name, id] : functions) names.emplace_back(name);
            std::sort(names.begin(), names.end());
            text_.refuse(call.symbol, fmt::format("there is no function @{}{}", call.symbol,
                                                  suggestion(call.symbol, names)));
        }
        builder_.program().called_list[call.index] = found->second;
        check_call(call, builder_.program()[found->second]);
    }
    refuse_recursion();
}

void OperationWriter::check_call(const PendingCall& call, const Computation& function) {
    const std::size_t expected = function.arguments.size();
    if (call.operands != expected)
        text_.refuse(call.symbol, fmt::format("@{} takes {} arguments, but {} are given", call.symbol,
                                              expected, call.operands));
    if (function.operations.empty()) return;  // a declaration
    const Program& program = builder_.program();
    if (call.results.count != function.results.size())
        text_.refuse(call.symbol, fmt::format("@{} returns {} values, but {} are taken", call.symbol,
                                              function.results.size(), call.results.count));
    const auto untyped = [&](TypeId type) { return program.types[type].kind == Type::Kind::untyped; };
    for (std::size_t i = 0; i < call.results.count; ++i) {
        const TypeId returned = program.type_of(function.results[i]);
        const TypeId taken = program.values[call.results.first + i].type;
        if (returned == taken || untyped(returned) || untyped(taken)) continue;
        text_.refuse(call.symbol,
                     fmt::format("result {} of @{} is {}, but its type here is {}", i + 1, call.symbol,
                                 program.types.text(returned), program.types.text(taken)));
    }
}

// Chains of calls must be finite.
void OperationWriter::refuse_recursion() {
    const Program& program = builder_.program();
    std::vector<std::size_t> callers(program.computations.size());
    for (const ComputationId called : program.called_list) ++callers[called.index()];
    std::vector<std::size_t> ready;
    for (std::size_t c = 0; c < callers.size(); ++c)
        if (callers[c] == 0) ready.push_back(c);
    std::size_t done = 0;
    for (; done < ready.size(); ++done)
        for (const Operation& operation : program.computations[ready[done]].operations)
            for (const ComputationId called : program.called(operation))
                if (--callers[called.index()] == 0) ready.push_back(called.index());
    if (done == callers.size()) return;
    for (const PendingCall& call : pending_)
        if (callers[program.called_list[call.index].index()] > 0)
            text_.refuse(call.symbol,
                         fmt::format("@{} calls itself, directly or through others", call.symbol));
}

}  // namespace dse::ir::mlir
