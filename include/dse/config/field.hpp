#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/config/quantity.hpp"
#include "dse/config/range.hpp"

/// Fields: a specification struct declares its fields once, in `describe(visitor, struct)`. Reading from YAML
/// (reader.hpp), listing, and setting by dotted path (field_index.hpp) all follow from that.
///
///     template <class Visitor>
///     void describe(Visitor& v, LinkSpec& link) {
///         v.required("bandwidth", link.bandwidth, config::positive, "per direction and device");
///         v.optional("latency", link.latency, config::not_negative, "of one message");
///         v.renamed("delay", "latency", "time of an empty message");  // its name in older files
///         v.section("energy", link.energy, "…");  // a nested struct with its own describe()
///     }
namespace dse::config {

enum class FieldType { integer, number, quantity, flag, choice, text };

/// What a field is, apart from where it is stored.
struct FieldInfo {
    std::string path;  ///< dotted, from the root
    std::string help;
    FieldType type{FieldType::number};
    Dimension dimension{};  ///< of a quantity
    /// Choices: names by enumerator. Text fields with a library: known names.
    std::vector<std::string> choices{};
    bool sets_others{false};  ///< text that names a file of the library: setting it also sets other fields
    /// Integers: range of the C++ type, restricted to what a double represents exactly (at most 2^53 - 1).
    double smallest{-largest_exact_integer};
    double largest{largest_exact_integer};
    Range range{};  ///< range declared with the field

    /// Above this, a double cannot distinguish adjacent integers.
    static constexpr double largest_exact_integer = 9007199254740991.0;
};

/// Reference to a field that can be set. Values have the form used in points: an integer, a number in SI
/// units, 0 or 1 for a flag, an enumerator for a choice. For text see assign_text.
class FieldRef {
  public:
    FieldRef(FieldInfo info, std::function<void(double)> assign, std::function<double()> read)
        : info_{std::move(info)}, assign_{std::move(assign)}, read_{std::move(read)} {}
    FieldRef(FieldInfo info, std::function<void(const std::string&)> assign_text,
             std::function<std::string()> read_text)
        : info_{std::move(info)}, assign_text_{std::move(assign_text)}, read_text_{std::move(read_text)} {}

    [[nodiscard]] const FieldInfo& info() const { return info_; }
    /// Not for text fields. \param value  as returned by parse_value for this field
    void assign(double value) const { assign_(value); }
    [[nodiscard]] double read() const { return read_(); }
    /// For text fields only.
    void assign_text(const std::string& value) const { assign_text_(value); }
    [[nodiscard]] std::string read_text() const { return read_text_(); }

  private:
    FieldInfo info_;
    std::function<void(double)> assign_;
    std::function<double()> read_;
    std::function<void(const std::string&)> assign_text_;
    std::function<std::string()> read_text_;
};

/// Parses a scalar as a value of this field; a wrong type, unit, name or range is reported to `diagnostics`.
/// An integer may be written in any numeric form: "1e3", "16.0". Not for text fields.
std::optional<double> parse_value(const Node& node, const FieldInfo& field, Diagnostics& diagnostics);

/// "400 Gbps", "16", "true", "1f1b": a value of this field for display.
std::string format_value(double value, const FieldInfo& field);

/// "at least 1", "between 0 and 3", "above 0 s": the declared range of a field; empty if it has none.
std::string format_range(const FieldInfo& field);

/// "'-4' is out of range: must be at least 1 (samples an iteration)".
/// \param value  as it was written
std::string out_of_range(const std::string& value, const FieldInfo& field);

/// "'delay' is called 'latency' now (time of an empty message)".
std::string renaming(std::string_view old_name, std::string_view name, std::string_view meaning);

namespace detail {

template <class T>
struct IsQuantity : std::false_type {};
template <int T, int D, int W, int E, int M, int G>
struct IsQuantity<Quantity<T, D, W, E, M, G>> : std::true_type {};

/// FieldInfo of a C++ member, derived from its type. Enumerations name their values by an overload of
/// `std::span<const std::string_view> choice_names(Enum)` in their namespace (DSE_CHOICES).
template <class T>
FieldInfo info_of(std::string path, std::string help) {
    FieldInfo info{.path = std::move(path), .help = std::move(help)};
    if constexpr (std::is_same_v<T, bool>) {
        info.type = FieldType::flag;
    } else if constexpr (std::is_enum_v<T>) {
        info.type = FieldType::choice;
        for (const std::string_view name : choice_names(T{})) info.choices.emplace_back(name);
    } else if constexpr (std::is_integral_v<T>) {
        info.type = FieldType::integer;
        using Limits = std::numeric_limits<T>;
        info.smallest = std::max(info.smallest, static_cast<double>(Limits::min()));
        info.largest = std::min(info.largest, static_cast<double>(Limits::max()));
    } else if constexpr (IsQuantity<T>::value) {
        info.type = FieldType::quantity;
        info.dimension = dimension_of(T{});
    } else if constexpr (std::is_same_v<T, std::string>) {
        info.type = FieldType::text;
    } else {
        static_assert(std::is_floating_point_v<T>,
                      "a field is bool, enum, integer, double, Quantity or string");
    }
    return info;
}

template <class T>
void store(T& target, double value) {
    if constexpr (std::is_same_v<T, bool>) {
        target = value != 0.0;
    } else if constexpr (std::is_enum_v<T>) {
        target = static_cast<T>(static_cast<std::int64_t>(value));
    } else {
        target = T(value);
    }
}

template <class T>
double load(const T& target) {
    if constexpr (IsQuantity<T>::value) {
        return target.value();
    } else {
        return static_cast<double>(target);
    }
}

}  // namespace detail
}  // namespace dse::config
