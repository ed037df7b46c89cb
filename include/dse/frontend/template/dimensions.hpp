#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/symbolic/expression.hpp"
#include "dse/symbolic/symbol_table.hpp"

namespace dse::frontend {

using DimId = Id<struct DimTag>;

/// The symbols of a template's dimension expressions, and each distinct dimension once. Slot 0 is `b`, the
/// sequences of a microbatch over all data-parallel ranks; slot 1 is `s`, the tokens of a sequence; the
/// model's sizes follow. Expressions are parsed once; each point only supplies values.
class Dimensions {
  public:
    static constexpr std::size_t batch_slot = 0;
    static constexpr std::size_t sequence_slot = 1;
    // In the dimensions of a model: see add_serving_symbols().
    static constexpr std::size_t context_slot = 2;
    static constexpr std::size_t cached_slot = 3;
    static constexpr std::size_t served_slot = 4;

    Dimensions();

    /// Adds a size of the model. \throws InputError if the name is in use or not valid
    void add_symbol(const std::string& name);

    /// A named number.
    struct Size {
        std::string name;
        double value{0};
    };
    /// Sets the sizes of one use of a block. They are replaced by their values in dimensions that are
    /// interned from now on.
    void set_block_sizes(std::vector<Size> sizes) { block_sizes_ = std::move(sizes); }

    /// Adds the symbols of inference; call before adding sizes of the model. `context`: tokens that a step
    /// attends to; `cached`: tokens that the cache of a sequence has room for; `served`: sequences with a
    /// cache.
    void add_serving_symbols();

    /// Whether a dimension is `b`, the sequences of a microbatch.
    [[nodiscard]] bool is_batch(DimId dim) const { return keys_[dim.index()] == "b"; }

    /// \throws symbolic::ExpressionError if the text is not an expression over the symbols
    DimId intern(std::string_view text);

    /// Rows that a router sends to one expert, over all tokens of a microbatch: tokens · chosen / experts on
    /// average, not necessarily an integer. Each point defines by how much the fullest device exceeds the
    /// average.
    struct Rows {
        DimId chosen;   ///< number of experts that each token chooses
        DimId experts;  ///< number of experts in the layer
        friend bool operator==(const Rows&, const Rows&) = default;
    };
    /// \param tokens  dimensions whose product is the number of tokens
    DimId intern_rows(std::span<const DimId> tokens, const Rows& rows);
    /// A dimension that is divided among devices on average, so that a device's share need not be an integer.
    DimId intern_mean(std::string_view text);
    [[nodiscard]] bool is_mean(DimId dim) const { return means_[dim.index()] || rows(dim).has_value(); }
    /// The parameters of a dimension of rows; none for other dimensions.
    [[nodiscard]] const std::optional<Rows>& rows(DimId dim) const { return rows_[dim.index()]; }

    [[nodiscard]] const std::string& text(DimId dim) const { return expressions_[dim.index()].text(); }
    [[nodiscard]] std::size_t size() const { return expressions_.size(); }
    [[nodiscard]] const symbolic::SymbolTable& symbols() const { return symbols_; }

    /// Whether a dimension depends on the tokens of a sequence.
    [[nodiscard]] bool uses_sequence(DimId dim) const;

    /// \param symbols  shape (slots,)
    /// \param values   the extents, shape (size(),); NaN if a division leaves a remainder
    void evaluate(std::span<const double> symbols, std::span<double> values) const;
    [[nodiscard]] double evaluate(DimId dim, std::span<const double> symbols) const {
        return expressions_[dim.index()].evaluate(symbols);
    }

  private:
    /// The text with the block's sizes replaced by numbers.
    [[nodiscard]] std::string with_sizes(std::string_view text) const;

    symbolic::SymbolTable symbols_;
    std::vector<Size> block_sizes_;
    std::vector<symbolic::Expression> expressions_;
    std::vector<std::string> keys_;
    std::vector<std::optional<Rows>> rows_;  ///< by dimension
    std::vector<bool> means_;                ///< by dimension
};

}  // namespace dse::frontend
