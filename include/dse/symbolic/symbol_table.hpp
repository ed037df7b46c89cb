#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dse::symbolic {

/// Type of a value. All values are stored as doubles; the type determines which operators apply.
enum class ValueType {
    integer,  ///< exact up to 2^53
    real,     ///< a number, or a quantity in SI units
    flag,     ///< 0 or 1; usable as an integer
    label,    ///< the index of a name; only == and != apply
};

/// "an integer", "a real number", …: for messages.
std::string_view describe(ValueType type);

/// Converts a quoted text that is compared with a symbol ("schedule == '1f1b'", "bandwidth >= '400 Gbps'") to
/// a value of the symbol.
/// \returns nothing, with the reason and the nearest valid text in `error`, if there is none
using TextResolver = std::function<std::optional<double>(std::string_view text, std::string& error)>;

/// The resolver of a symbol whose values are the indices of these labels.
TextResolver label_resolver(std::vector<std::string> labels);

/// A name for use in expressions: a slot in the array of values on which they are evaluated, or a constant.
struct Symbol {
    ValueType type{ValueType::integer};
    std::optional<double> constant;  ///< a value that never changes; then `slot` means nothing
    std::size_t slot{0};
    TextResolver resolve_text;  ///< empty: the symbol is not comparable with text
};

/// The names that expressions may use. Names are identifiers, possibly dotted ("cluster.devices_per_node").
class SymbolTable {
  public:
    /// Adds a variable in the next slot. \returns its slot \throws InputError if the name is taken or invalid
    std::size_t add(const std::string& name, ValueType type, TextResolver resolve_text = {});

    /// Adds a variable in a given slot; slots may be added in any order.
    void add_at(const std::string& name, std::size_t slot, ValueType type, TextResolver resolve_text = {});

    /// Adds a constant. \throws InputError if the name is taken or invalid
    void add_constant(const std::string& name, ValueType type, double value, TextResolver resolve_text = {});

    /// \returns nullptr if there is none
    [[nodiscard]] const Symbol* find(std::string_view name) const;

    [[nodiscard]] std::vector<std::string> names() const;

    /// One past the largest slot: the size of the array on which expressions are evaluated.
    [[nodiscard]] std::size_t slots() const { return slots_; }

  private:
    void insert(const std::string& name, Symbol symbol);

    std::map<std::string, Symbol, std::less<>> symbols_;
    std::size_t slots_{0};
};

/// Whether the text is an identifier of the expression language and not one of its keywords, such as "and".
bool is_symbol_name(std::string_view text);

}  // namespace dse::symbolic
