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
    /// Adds a value outside the range declared with its field.
    void out_of_range(const config::FieldInfo& field, double value);
    /// Adds a problem if `holds` is false.
    void expect(bool holds, const char* key, const char* message);

    /// Adds the problems of the nested struct under `key`.
    void nest(std::string_view key, Problems inner);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<Problem>& all() const { return all_; }
    /// One line each: "key: message".
    [[nodiscard]] std::string text() const;

  private:
    std::vector<Problem> all_;
};

/// Fields of a struct that are outside their ranges, without those of nested structs.
/// \param described  a copy, since `describe` needs a mutable struct
template <class Struct>
Problems out_of_range(Struct described) {
    Problems problems;
    config::check_ranges(std::move(described), [&](const config::FieldInfo& field, double value) {
        problems.out_of_range(field, value);
    });
    return problems;
}

/// Reports the problems of a struct at the locations of its values, those of absent values at the map's.
/// Values that already have a diagnostic, because they are required or could not be read, are skipped, and so
/// are those of files that have one.
void report(const Problems& problems, const config::Node& map, config::Diagnostics& diagnostics);

/// Call as the last line of a `describe`: checks the struct once a Reader has filled it. Does nothing for
/// visitors that do not read a file.
template <class Visitor, class Struct>
void check_after_reading(Visitor& v, const Struct& filled) {
    if constexpr (requires { v.diagnostics(); }) {
        report(problems_of(filled), v.node(), v.diagnostics());
    }
}

}  // namespace dse::hardware
