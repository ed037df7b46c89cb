#pragma once

#include <optional>
#include <vector>

#include "alias_reader.hpp"
#include "attribute_reader.hpp"
#include "dse/ir/program/program.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "instruction_draft.hpp"
#include "names.hpp"
#include "opcodes.hpp"
#include "scanner.hpp"
#include "shape_reader.hpp"
#include "sharding_reader.hpp"

namespace dse::ir::hlo {

/// Reads one module from the scanner's position to the next module or the end of the text.
class ModuleReader {
  public:
    explicit ModuleReader(Scanner& scanner);

    /// \throws InputError
    Program read();

  private:
    /// A computation while it is being read: arguments by number, the marked root.
    struct Body {
        ComputationId id;
        std::vector<std::optional<ValueId>> arguments;
        std::optional<ValueId> root;
    };

    /// Where an instruction starts.
    struct Start {
        std::size_t place;
        std::uint32_t line;
    };

    void header();
    void frame_tables();
    [[nodiscard]] bool at_module_end();
    void computation();
    ComputationId body(std::string_view name);
    void bare_instructions();
    void finish_body(Body& body, std::size_t place);
    ComputationId computation_reference();

    void instruction(Body& body);
    ValueId instruction_at_opcode(Body& body, std::optional<TypeId> type, NameId label, Start start);
    OpcodeWord opcode_word(NameId& name);
    void take_argument(Body& body, std::int64_t number, ValueId value, std::size_t place);
    void operand_list(Body& body, InstructionDraft& draft, std::optional<TypeId> type);
    ValueId operand(Body& body);
    ValueId element(Body& body, ValueId tuple);
    void parameter(InstructionDraft& draft);
    void constant(InstructionDraft& draft, std::optional<TypeId> type);
    ValueId append(ComputationId computation, const InstructionDraft& draft, TypeId type);
    void settle_devices();

    Scanner& scanner_;
    Program program_;
    ProgramBuilder builder_{program_};
    ShapeReader shapes_{scanner_, program_.types};
    ShardingReader shardings_{scanner_, program_};
    AttributeReader attributes_;
    Names names_{program_};
    OpcodeWords opcodes_;
    Body* open_{nullptr};  ///< the current computation
    int depth_{0};         ///< nesting of instructions and bodies inside instructions
    std::vector<StatedAlias> aliases_;
    bool entry_marked_{false};
    bool scheduled_{false};
};

}  // namespace dse::ir::hlo
