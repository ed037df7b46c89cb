#include "symbolic/compiler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/nearest.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::symbolic {

namespace {

/// A quoted text whose meaning depends on what it is compared with.
struct PendingText {
    std::size_t instruction;
    std::string text;
    std::size_t position;
};

/// Compile-time information about a value on the stack.
struct Operand {
    ValueType type{ValueType::integer};
    std::size_t position{0};
    std::string name;  ///< if it is a plain name, for messages
    const TextResolver* resolver{nullptr};
    std::vector<PendingText> pending;  ///< not empty: a text, or a choice between texts
    bool constant{false};              ///< a single instruction that pushes a number
    bool literal{false};               ///< consists of literals only
};

bool is_number(ValueType type) {
    return type != ValueType::label;
}
bool is_whole(ValueType type) {
    return type == ValueType::integer || type == ValueType::flag;
}

class Compiler {
  public:
    Compiler(const SyntaxTree& tree, const SymbolTable& symbols) : tree_{tree}, symbols_{symbols} {}

    Program run(const TextResolver& result) {
        for (const SyntaxNode& node : tree_.nodes) {
            visit(node);
            if (stack_.size() > Program::stack_limit) fail(node.position, "nested too deeply");
        }
        DSE_ASSERT(stack_.size() == 1);
        Operand& root = stack_.back();
        if (!root.pending.empty()) {
            if (!result) fail(root.pending.front().position, "a text in quotes must be compared with a name");
            resolve(root, result, "");
        }
        program_.text = tree_.text;
        program_.type = root.type;
        collect_slots();
        return std::move(program_);
    }

  private:
    void visit(const SyntaxNode& node) {
        switch (node.kind) {
            case SyntaxKind::literal:
                literal(node);
                break;
            case SyntaxKind::text:
                text(node);
                break;
            case SyntaxKind::name:
                name(node);
                break;
            case SyntaxKind::operation:
                operation(node);
                break;
        }
    }

    void literal(const SyntaxNode& node) {
        Operand operand;
        operand.type = node.type;
        operand.position = node.position;
        operand.constant = operand.literal = true;
        push_number(node.number);
        stack_.push_back(std::move(operand));
    }

    void text(const SyntaxNode& node) {
        Operand operand;
        operand.type = ValueType::label;
        operand.position = node.position;
        operand.pending.push_back({program_.instructions.size(), node.text, node.position});
        push_number(0.0);
        stack_.push_back(std::move(operand));
    }

    void name(const SyntaxNode& node) {
        const Symbol* symbol = symbols_.find(node.text);
        if (symbol == nullptr) fail(node.position, unknown(node.text));
        Operand operand;
        operand.type = symbol->type;
        operand.position = node.position;
        operand.name = node.text;
        if (symbol->resolve_text) operand.resolver = &symbol->resolve_text;
        if (symbol->constant) {
            operand.constant = true;
            push_number(*symbol->constant);
        } else {
            Instruction instruction;
            instruction.code = Instruction::Code::slot;
            instruction.slot = static_cast<std::uint32_t>(symbol->slot);
            program_.instructions.push_back(instruction);
        }
        stack_.push_back(std::move(operand));
    }

    /// The most likely unknown name is a label without its quotes.
    [[nodiscard]] std::string unknown(const std::string& name) const {
        for (const std::string& known : symbols_.names()) {
            const Symbol* symbol = symbols_.find(known);
            std::string ignored;
            if (symbol->type == ValueType::label && symbol->resolve_text &&
                symbol->resolve_text(name, ignored)) {
                return fmt::format("unknown name '{0}' (a value of '{1}' is written in quotes: {1} == '{0}')",
                                   name, known);
            }
        }
        return fmt::format("unknown name '{}'{}", name, suggestion(name, symbols_.names()));
    }

    void operation(const SyntaxNode& node) {
        const std::size_t count = operands_of(node.operation);
        DSE_ASSERT(stack_.size() >= count);
        const auto operands = std::span(stack_).last(count);
        Instruction instruction;
        instruction.code = Instruction::Code::operation;
        instruction.operation = node.operation;
        Operand result = check(node, operands, instruction.operation);
        result.position = node.position;
        result.constant =
            std::all_of(operands.begin(), operands.end(), [](const Operand& o) { return o.constant; });
        result.literal =
            std::all_of(operands.begin(), operands.end(), [](const Operand& o) { return o.literal; });
        stack_.resize(stack_.size() - count);
        program_.instructions.push_back(instruction);
        if (result.constant) fold(instruction.operation, result);
        stack_.push_back(std::move(result));
    }

    /// Types of operands and result; `operation` is replaced by its exact form if that applies.
    Operand check(const SyntaxNode& node, std::span<Operand> operands, Operation& operation) {
        switch (operation) {
            case Operation::equal:
            case Operation::not_equal:
            case Operation::less:
            case Operation::less_equal:
            case Operation::greater:
            case Operation::greater_equal:
                return check_comparison(node, operands[0], operands[1]);
            case Operation::select:
                return check_choice(node, operands[0], operands[1], operands[2]);
            case Operation::select_mid:
                return check_choice(node, operands[1], operands[0], operands[2]);
            default:
                return check_arithmetic(node, operands, operation);
        }
    }

    Operand check_comparison(const SyntaxNode& node, Operand& a, Operand& b) {
        Operand result;
        result.type = ValueType::flag;
        settle(a, b);
        settle(b, a);
        if ((a.type == ValueType::label) != (b.type == ValueType::label)) {
            fail(node.position, "a label compared with a number");
        }
        const bool labels = a.type == ValueType::label && b.type == ValueType::label;
        if (labels && a.resolver != b.resolver) {
            fail(node.position, fmt::format("'{0}' and '{1}' are two names (a value of '{0}' is written in "
                                            "quotes: {0} == '{1}')",
                                            a.name, b.name));
        }
        if (labels && node.operation != Operation::equal && node.operation != Operation::not_equal) {
            fail(node.position,
                 fmt::format("labels have no order: '{}' compares numbers", symbol_of(node.operation)));
        }
        return result;
    }

    /// Resolves the texts of `text` as values of `symbol`.
    void settle(Operand& text, const Operand& symbol) {
        if (text.pending.empty()) return;
        if (symbol.resolver == nullptr) {
            const std::string other = symbol.name.empty() ? "this value" : "'" + symbol.name + "'";
            fail(text.position, fmt::format("{} cannot be compared with a text", other));
        }
        resolve(text, *symbol.resolver, symbol.name);
        text.type = symbol.type;
        text.resolver = symbol.resolver;
    }

    void resolve(Operand& operand, const TextResolver& resolver, const std::string& name) {
        for (const PendingText& pending : operand.pending) {
            std::string error;
            const std::optional<double> value = resolver(pending.text, error);
            if (!value) fail(pending.position, name.empty() ? error : fmt::format("{}: {}", name, error));
            program_.instructions[pending.instruction].number = *value;
        }
        operand.pending.clear();
    }

    Operand check_choice(const SyntaxNode& node, const Operand& condition, Operand& a, Operand& b) {
        if (!is_number(condition.type)) fail(condition.position, "a condition cannot be a label");
        Operand result;
        if (!a.pending.empty() && !b.pending.empty()) {
            result.type = ValueType::label;
            result.pending = a.pending;
            result.pending.insert(result.pending.end(), b.pending.begin(), b.pending.end());
            return result;
        }
        settle(a, b);
        settle(b, a);
        if (is_number(a.type) != is_number(b.type) || (!is_number(a.type) && a.resolver != b.resolver)) {
            fail(node.position, "the two values of a conditional are of different kinds");
        }
        result.type = a.type == b.type ? a.type : joined(a.type, b.type);
        result.resolver = a.resolver == b.resolver ? a.resolver : nullptr;
        return result;
    }

    static ValueType joined(ValueType a, ValueType b) {
        return is_whole(a) && is_whole(b) ? ValueType::integer : ValueType::real;
    }

    Operand check_arithmetic(const SyntaxNode& node, std::span<Operand> operands, Operation& operation) {
        bool whole = true;
        for (const Operand& operand : operands) {
            if (!is_number(operand.type)) {
                fail(operand.position, fmt::format("'{}' needs numbers, not labels", symbol_of(operation)));
            }
            whole = whole && is_whole(operand.type);
        }
        Operand result;
        result.type = whole ? ValueType::integer : ValueType::real;
        switch (operation) {
            case Operation::logical_not:
            case Operation::logical_and:
            case Operation::logical_or:
                result.type = ValueType::flag;
                break;
            case Operation::ceiling:
            case Operation::floor:
            case Operation::round:
                result.type = ValueType::integer;
                break;
            case Operation::square_root:
            case Operation::log2:
                result.type = ValueType::real;
                break;
            case Operation::divide:
                if (whole) operation = Operation::divide_exactly;
                break;
            case Operation::power:
                if (whole) operation = Operation::power_exactly;
                break;
            case Operation::floor_divide:
            case Operation::modulo:
                if (!whole) fail(node.position, needs_integers(operands, operation));
                break;
            default:
                break;
        }
        return result;
    }

    static std::string needs_integers(std::span<const Operand> operands, Operation operation) {
        const auto real = std::find_if(operands.begin(), operands.end(),
                                       [](const Operand& operand) { return !is_whole(operand.type); });
        return fmt::format("'{}' needs integers, {} is a real number (floor(…) makes an integer)",
                           symbol_of(operation), real->name.empty() ? "an operand" : "'" + real->name + "'");
    }

    /// Replaces an operation on constants by its value.
    void fold(Operation operation, const Operand& result) {
        const std::size_t count = operands_of(operation);
        auto& code = program_.instructions;
        std::array<double, 3> numbers{};
        const std::size_t first = code.size() - 1 - count;
        for (std::size_t i = 0; i < count; ++i) numbers[i] = code[first + i].number;
        const double value = apply(operation, numbers[0], numbers[1], numbers[2]);
        if (std::isnan(value) && result.literal) fail(result.position, without_value(operation, numbers));
        code.resize(first);
        push_number(value);
    }

    static std::string without_value(Operation operation, const std::array<double, 3>& numbers) {
        if (operation == Operation::divide_exactly && numbers[1] != 0.0) {
            return fmt::format(
                "{0} / {1} is not an integer (write {0}.0 / {1} for the fraction, {0} // {1} to round down)",
                numbers[0], numbers[1]);
        }
        return fmt::format("'{}' has no value for these numbers", symbol_of(operation));
    }

    void push_number(double number) {
        Instruction instruction;
        instruction.number = number;
        program_.instructions.push_back(instruction);
    }

    void collect_slots() {
        for (const Instruction& instruction : program_.instructions) {
            if (instruction.code == Instruction::Code::slot) program_.slots.push_back(instruction.slot);
        }
        std::sort(program_.slots.begin(), program_.slots.end());
        program_.slots.erase(std::unique(program_.slots.begin(), program_.slots.end()), program_.slots.end());
    }

    [[noreturn]] void fail(std::size_t position, const std::string& reason) const {
        throw ExpressionError(tree_.text, position, reason);
    }

    const SyntaxTree& tree_;
    const SymbolTable& symbols_;
    Program program_;
    std::vector<Operand> stack_;
};

}  // namespace

Program compile(const SyntaxTree& tree, const SymbolTable& symbols, const TextResolver& result) {
    return Compiler(tree, symbols).run(result);
}

}  // namespace dse::symbolic
