#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/node.hpp"
#include "dse/config/range_check.hpp"

namespace dse::hardware {

/// What is wrong with one field of a specification: "problem (why) suggestion?".
struct Problem {
    std::string key;  ///< dotted path of the field inside its struct
    std::string message;
};

/// Collects the problems of one struct. Costs nothing while everything is right.
class Problems {
  public:
    /// A value outside of the range that is declared with its field.
    void out_of_range(const config::FieldInfo& field, double value);
    /// Anything else: reported where `holds` is false.
    void expect(bool holds, const char* key, const char* message);

    /// Takes over the problems of a nested struct that stands under `key`.
    void nest(std::string_view key, Problems inner);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<Problem>& all() const { return all_; }
    /// One line each: "key: message".
    [[nodiscard]] std::string text() const;

  private:
    std::vector<Problem> all_;
};

/// Fields of a struct outside of their ranges; those of nested structs are their own affair.
/// \param described  a copy, since `describe` takes what can be filled
template <class Struct>
Problems out_of_range(Struct described) {
    Problems problems;
    config::check_ranges(std::move(described), [&](const config::FieldInfo& field, double value) {
        problems.out_of_range(field, value);
    });
    return problems;
}

/// Reports the problems of a struct at the places its values come from. A key that is absent from `map` or
/// that could not be read has its own diagnostic already, and is left out.
void report(const Problems& problems, const config::Node& map, config::Diagnostics& diagnostics);

/// Last line of a `describe`: checks the struct once a Reader has filled it. Visitors that read no file skip
/// it.
template <class Visitor, class Struct>
void check_after_reading(Visitor& v, const Struct& filled) {
    if constexpr (requires { v.diagnostics(); }) {
        report(problems_of(filled), v.node(), v.diagnostics());
    }
}

}  // namespace dse::hardware
