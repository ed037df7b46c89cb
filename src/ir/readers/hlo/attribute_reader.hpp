#pragma once

#include <functional>

#include "dse/ir/program/program_builder.hpp"
#include "instruction_draft.hpp"
#include "scanner.hpp"
#include "sharding_reader.hpp"

namespace dse::ir::hlo {

/// Reads `, name=value` after an instruction's operands. Attributes that do not affect costs are skipped:
/// metadata, layouts, algorithms.
class AttributeReader {
  public:
    /// \param computation  reads a computation's name or its nested body after `to_apply=`
    AttributeReader(Scanner& scanner, ProgramBuilder& builder, ShardingReader& shardings,
                    std::function<ComputationId()> computation)
        : scanner_{scanner}, builder_{builder}, shardings_{shardings}, computation_{std::move(computation)} {}

    /// Reads all attributes, up to the end of the instruction.
    void read(InstructionDraft& draft);

  private:
    using Handler = void (AttributeReader::*)(InstructionDraft&);
    static Handler handler(std::string_view name);

    void dimensions(InstructionDraft& draft);
    void window(InstructionDraft& draft);
    void dimension_labels(InstructionDraft& draft);
    void slice(InstructionDraft& draft);
    void padding(InstructionDraft& draft);
    void slice_sizes(InstructionDraft& draft);
    void direction(InstructionDraft& draft);
    void index(InstructionDraft& draft);
    void fusion_kind(InstructionDraft& draft);
    void groups(InstructionDraft& draft);
    void pairs(InstructionDraft& draft);
    void channel(InstructionDraft& draft);
    void global_ids(InstructionDraft& draft);
    void fft_length(InstructionDraft& draft);
    void target(InstructionDraft& draft);
    void precision(InstructionDraft& draft);
    void metadata(InstructionDraft& draft);
    void backend_config(InstructionDraft& draft);
    void literal(InstructionDraft& draft);
    void frontend_attributes(InstructionDraft& draft);
    void composite(InstructionDraft& draft);
    void sharding(InstructionDraft& draft);
    void first_called(InstructionDraft& draft);
    void last_called(InstructionDraft& draft);
    void all_called(InstructionDraft& draft);

    bool body_next();

    template <class T, auto Member>
    void sizes(InstructionDraft& draft);
    template <class T, auto Member>
    void number(InstructionDraft& draft);
    template <auto Member>
    void group_count(InstructionDraft& draft);

    Scanner& scanner_;
    ProgramBuilder& builder_;
    ShardingReader& shardings_;
    std::function<ComputationId()> computation_;
};

}  // namespace dse::ir::hlo
