#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/node.hpp"

namespace dse::hardware {

/// What is wrong with one field of a specification: "problem (why) suggestion?".
struct Problem {
    std::string key;  ///< dotted path of the field inside its struct
    std::string message;
};

/// Collects the problems of one struct. Costs nothing while everything is right.
class Problems {
  public:
    void positive(const char* key, double value, const char* why);
    void not_negative(const char* key, double value, const char* why);
    /// 0 < value <= 1
    void fraction(const char* key, double value, const char* why);
    /// 0 <= value <= 1
    void share(const char* key, double value, const char* why);
    void at_least(const char* key, double value, double least, const char* why);
    /// Anything else: reported where `holds` is false.
    void expect(bool holds, const char* key, const char* message);

    template <class Amount>
    void positive(const char* key, Amount amount, const char* why) {
        positive(key, amount.value(), why);
    }
    template <class Amount>
    void not_negative(const char* key, Amount amount, const char* why) {
        not_negative(key, amount.value(), why);
    }

    /// Takes over the problems of a nested struct that stands under `key`.
    void nest(std::string_view key, Problems inner);

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<Problem>& all() const { return all_; }
    /// One line each: "key: message".
    [[nodiscard]] std::string text() const;

  private:
    void add(const char* key, std::string message);

    std::vector<Problem> all_;
};

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
