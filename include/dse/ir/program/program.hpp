#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/base/name_table.hpp"
#include "dse/ir/program/attributes.hpp"
#include "dse/ir/program/opcode.hpp"
#include "dse/ir/program/sharding.hpp"
#include "dse/ir/program/type.hpp"

namespace dse::ir {

using ValueId = Id<struct ValueTag>;
using ComputationId = Id<struct ComputationTag>;
using AttributeId = Id<struct AttributeTag>;
using ShardingId = Id<struct ShardingTag>;

/// In every program attribute 0 and sharding 0 are none, and name 0 is empty.
inline constexpr AttributeId no_attribute{0};
inline constexpr ShardingId no_sharding{0};
inline constexpr NameId no_name{0};

/// A part of one of a program's flat lists.
struct Range {
    std::uint32_t first{0};
    std::uint32_t count{0};
};

/// An operation. Its lists are obtained from the program: operands(op), results(op), called(op).
struct Operation {
    Opcode opcode{Opcode::unknown};
    NameId name;   ///< as in the file, with dialect: "stablehlo.dot_general", "dot", "aten.mm.default"
    NameId label;  ///< the framework's name for it, else the instruction's own; may be empty
    Range operands;
    Range results;  ///< consecutive values
    Range called;   ///< computations that it runs: regions, functions, fused computations
    AttributeId attribute{no_attribute};
    std::uint32_t line{0};  ///< in the file, from 1
    bool repeats{false};    ///< repeats another operation so that its results need not be kept
    bool blocks{false};     ///< of a collective: no kernel runs concurrently with it
    /// The share of the devices' computation that the whole program requires, if a partitioner split the
    /// operation: the rest is padding, or work that other devices do as well.
    double model_share{1.0};
};

/// A value in static single assignment form: an argument of a computation, or a result of an operation.
struct Value {
    TypeId type;
    ShardingId sharding{no_sharding};
    ComputationId owner;         ///< computation that defines it
    std::int32_t operation{-1};  ///< index in the owner's operations; −1: an argument
    std::uint32_t number{0};     ///< index among the operation's results, or among the arguments
};

/// A straight line of operations: a function, a region of an operation, or a computation of HLO. Operations
/// may use values of enclosing computations (as MLIR's regions do).
struct Computation {
    NameId name;
    std::vector<ValueId> arguments;
    /// In text order, in which definitions precede uses. HLO's parameter instructions and MLIR's terminators
    /// are operations, too.
    std::vector<Operation> operations;
    std::vector<ValueId> results;  ///< operands of its terminator, or the root in HLO
    /// By result: its sharding according to the function's signature; empty if not stated.
    std::vector<ShardingId> result_shardings;
    std::uint32_t line{0};
};

enum class Language : std::uint8_t { hlo, mlir, fx };
std::string_view name(Language language);

/// A result of the entry that is written to an argument's memory (a donated buffer). Both are numbers of
/// leaves of all results or arguments, with tuples flattened depth first.
struct BufferAlias {
    static constexpr std::uint32_t any_result = ~std::uint32_t{0};
    std::uint32_t result{any_result};  ///< any_result: the compiler may choose one of the argument's type
    std::uint32_t argument{0};
    friend bool operator==(const BufferAlias&, const BufferAlias&) = default;
};

/// A module of a compiler's intermediate representation, in any language. It owns all its data and does not
/// refer to the text. Values of constants are not kept, except for single integers.
struct Program {
    std::string name;
    Language language{Language::hlo};
    std::int64_t replicas{1};
    std::int64_t partitions{1};
    bool partitioned{true};  ///< shapes are those of one device; false: shardings have not been applied yet

    TypeTable types;
    NameTable names;
    std::vector<DeviceMesh> meshes;
    std::vector<Value> values;
    std::vector<Computation> computations;
    ComputationId entry;
    std::vector<BufferAlias>
        aliases;  ///< HLO's input_output_alias, MLIR's tf.aliasing_output, jax.buffer_donor
    std::vector<Attribute> attributes;
    /// Shardings of values: one entry for an array, one per leaf (depth first) for a tuple.
    std::vector<std::vector<Sharding>> shardings;
    std::vector<ValueId> operand_list;
    std::vector<ComputationId> called_list;

    Program();

    [[nodiscard]] std::span<const ValueId> operands(const Operation& operation) const {
        return std::span{operand_list}.subspan(operation.operands.first, operation.operands.count);
    }
    [[nodiscard]] std::span<const ComputationId> called(const Operation& operation) const {
        return std::span{called_list}.subspan(operation.called.first, operation.called.count);
    }
    /// The operation's i-th result.
    [[nodiscard]] static ValueId result(const Operation& operation, std::size_t i = 0) {
        return ValueId{operation.results.first + i};
    }
    [[nodiscard]] const Value& operator[](ValueId id) const { return values[id.index()]; }
    [[nodiscard]] const Computation& operator[](ComputationId id) const { return computations[id.index()]; }
    [[nodiscard]] const Attribute& attribute(const Operation& operation) const {
        return attributes[operation.attribute.index()];
    }
    /// The attribute of this kind; nullptr if the operation has none.
    template <class T>
    [[nodiscard]] const T* attribute_if(const Operation& operation) const {
        return std::get_if<T>(&attribute(operation));
    }
    [[nodiscard]] std::string_view text(NameId id) const {
        return names[static_cast<std::uint32_t>(id.index())];
    }
    [[nodiscard]] TypeId type_of(ValueId id) const { return values[id.index()].type; }
    /// The operation that defines a value; nullptr for an argument.
    [[nodiscard]] const Operation* definition(ValueId id) const;
    /// Number of devices that run it: replicas × partitions.
    [[nodiscard]] std::int64_t devices() const { return replicas * partitions; }
};

/// Checks what all users of a program rely on: ids in range, an entry, results and arguments owned by their
/// computation, called computations that exist.
/// \throws ContractViolation
void validate(const Program& program);

}  // namespace dse::ir
