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

/// The symbols that a template's dimensions are written in, and every distinct dimension once.
/// Slot 0 is `b`, the sequences of a microbatch on all data-parallel ranks together; slot 1 is `s`, the
/// tokens of a sequence; then the model's numbers. A point supplies values; nothing is parsed again.
class Dimensions {
  public:
    static constexpr std::size_t batch_slot = 0;
    static constexpr std::size_t sequence_slot = 1;
    // Of a model's dimensions: see add_serving_symbols().
    static constexpr std::size_t context_slot = 2;
    static constexpr std::size_t cached_slot = 3;
    static constexpr std::size_t served_slot = 4;

    Dimensions();

    /// Adds a number of the model. \throws InputError when the name is taken or no name
    void add_symbol(const std::string& name);

    /// A name that stands for a number.
    struct Size {
        std::string name;
        double value{0};
    };
    /// The sizes of one use of a block: in what is interned from here on they stand for their numbers.
    void set_block_sizes(std::vector<Size> sizes) { block_sizes_ = std::move(sizes); }

    /// Adds what inference counts besides, before any number of the model: `context`, the tokens that a step
    /// attends to; `cached`, those that the cache of a sequence has room for; `served`, the sequences that
    /// have one.
    void add_serving_symbols();

    /// Whether a dimension is the sequences of a microbatch, `b`.
    [[nodiscard]] bool is_batch(DimId dim) const { return keys_[dim.index()] == "b"; }

    /// \throws symbolic::ExpressionError on a text that is no expression over the symbols
    DimId intern(std::string_view text);

    /// Rows that a router sends to one expert, of all tokens of a microbatch: tokens · chosen / experts on
    /// average, whole or not; a point says how far the fullest device is above it.
    struct Rows {
        DimId chosen;   ///< experts a token
        DimId experts;  ///< in the layer
        friend bool operator==(const Rows&, const Rows&) = default;
    };
    /// \param tokens  dimensions whose product is the number of tokens
    DimId intern_rows(std::span<const DimId> tokens, const Rows& rows);
    /// A dimension of which a device has its share on average, whole or not.
    DimId intern_mean(std::string_view text);
    [[nodiscard]] bool is_mean(DimId dim) const { return means_[dim.index()] || rows(dim).has_value(); }
    /// What the rows of a dimension are; none for an ordinary one.
    [[nodiscard]] const std::optional<Rows>& rows(DimId dim) const { return rows_[dim.index()]; }

    [[nodiscard]] const std::string& text(DimId dim) const { return expressions_[dim.index()].text(); }
    [[nodiscard]] std::size_t size() const { return expressions_.size(); }
    [[nodiscard]] const symbolic::SymbolTable& symbols() const { return symbols_; }

    /// Whether a dimension depends on the tokens of a sequence.
    [[nodiscard]] bool uses_sequence(DimId dim) const;

    /// \param symbols  shape (slots,)
    /// \param values   shape (size(),): the extents; NaN where a division leaves a remainder
    void evaluate(std::span<const double> symbols, std::span<double> values) const;
    [[nodiscard]] double evaluate(DimId dim, std::span<const double> symbols) const {
        return expressions_[dim.index()].evaluate(symbols);
    }

  private:
    /// The text with the block's sizes as numbers.
    [[nodiscard]] std::string with_sizes(std::string_view text) const;

    symbolic::SymbolTable symbols_;
    std::vector<Size> block_sizes_;
    std::vector<symbolic::Expression> expressions_;
    std::vector<std::string> keys_;
    std::vector<std::optional<Rows>> rows_;  ///< by dimension
    std::vector<bool> means_;                ///< by dimension
};

}  // namespace dse::frontend
