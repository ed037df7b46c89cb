#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/readers/mlir/attribute_text.hpp"
#include "ir/readers/mlir/sdy_text.hpp"
#include "ir/readers/mlir/statement.hpp"

namespace dse::ir::mlir {

/// What the meaning of an operation is determined from.
struct Meaning {
    const Statement& statement;
    Opcode opcode;
    AttributeText& text;
    SdyText& sdy;
    ProgramBuilder& builder;

    [[nodiscard]] const Program& program() const { return builder.program(); }
    /// Sizes of the i-th operand; empty if there is none.
    [[nodiscard]] const Sizes& operand_sizes(std::size_t i) const;
    /// The integers of an entry, or of `other` if there is no entry `key`.
    [[nodiscard]] Sizes sizes(std::string_view key, std::string_view other = {}) const {
        return text.sizes(statement.value(key, other));
    }
    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t without) const;
};

/// The fields of an attribute such as `#stablehlo.gather<offset_dims = [1], index_vector_dim = 2>`.
class Fields {
  public:
    /// \param text   of the attribute; empty: no fields
    /// \param known  all valid fields
    /// \throws InputError if there are other fields
    Fields(const Meaning& meaning, std::string_view text, std::initializer_list<std::string_view> known);
    /// Empty if not stated.
    [[nodiscard]] std::string_view text(std::string_view key) const { return fields_.value(key); }
    [[nodiscard]] Sizes sizes(std::string_view key) const;
    /// 0 if not stated.
    [[nodiscard]] std::int64_t integer(std::string_view key) const;

  private:
    const Meaning& meaning_;
    Statement fields_;
};

/// Reads the attribute of an operation from its text.
/// \throws InputError at the position of what cannot be read
using Extractor = Attribute(const Meaning&);

// Matrix products and sliding windows (contraction_attributes.cpp, window_attributes.cpp).
Extractor dot_general;
Extractor dot;
Extractor ragged_dot;
Extractor convolution;
Extractor window;
Extractor fft_lengths;

/// A window of these sizes with the strides, paddings and dilations stated in the text.
std::vector<WindowDimension> sliding_window(const Meaning& meaning, const Sizes& sizes);

// Movement of elements (movement_attributes.cpp).
Extractor dimensions;
Extractor slice_ranges;
Extractor slice_sizes;
Extractor pad_sizes;
Extractor gather_dimensions;
Extractor scatter_dimensions;

// Communication (communication_attributes.cpp).
Extractor communication;

// Control and bookkeeping (control_attributes.cpp).
Extractor comparison;
Extractor literal;
Extractor tuple_index;
Extractor loop;
Extractor foreign_call;

// Shardy (sdy_attributes.cpp).
Extractor manual_computation;
Extractor resharding;
Extractor sharding_group;
Extractor propagation_barrier;

}  // namespace dse::ir::mlir
