#pragma once

#include <utility>

#include "dse/config/field.hpp"

namespace dse::config {

/// A visitor for `describe` that reports fields of the struct itself, not of nested ones, whose values are
/// outside their ranges. Values from files and axes are checked when they are read; this check is for values
/// derived by formulas or set by programs.
/// \tparam Report  called with the FieldInfo and the value
template <class Report>
class RangeCheck {
  public:
    explicit RangeCheck(Report report) : report_{std::move(report)} {}

    template <class T>
    void required(const char* name, const T& value, Range range, const char* help) {
        const double number = detail::load(value);
        if (range.contains(number)) return;
        FieldInfo info = detail::info_of<T>(name, help);
        info.range = range;
        report_(info, number);
    }
    template <class T>
    void optional(const char* name, const T& value, Range range, const char* help) {
        required(name, value, range, help);
    }

    // Fields without a range, and members with a check of their own.
    template <class T>
    void required(const char* /*name*/, const T& /*value*/, const char* /*help*/) {}
    template <class T>
    void optional(const char* /*name*/, const T& /*value*/, const char* /*help*/) {}
    void renamed(const char* /*old_name*/, const char* /*name*/, const char* /*meaning*/) {}
    template <class Struct>
    void section(const char* /*name*/, const Struct& /*value*/, const char* /*help*/) {}
    template <class Struct>
    void optional_section(const char* /*name*/, const Struct& /*value*/, const char* /*help*/) {}
    template <class List>
    void optional_list(const char* /*name*/, const List& /*value*/, const char* /*help*/) {}
    template <class List>
    void records(const char* /*name*/, const List& /*value*/, const char* /*help*/) {}
    template <class Struct>
    void from_library(const char* /*name*/, const Struct& /*value*/, const char* /*folder*/,
                      const char* /*help*/) {}
    template <class Struct>
    void optional_from_library(const char* /*name*/, const Struct& /*value*/, const char* /*folder*/,
                               const char* /*help*/) {}
    template <class Struct, class Apply>
    void preset(const char* /*name*/, const Struct& /*value*/, const char* /*folder*/, const char* /*help*/,
                Apply&& /*apply*/) {}

  private:
    Report report_;
};

/// Reports the fields of a struct that are outside their ranges.
/// \param filled  a copy, since `describe` needs a mutable struct
template <class Struct, class Report>
void check_ranges(Struct filled, Report report) {
    RangeCheck<Report> check{std::move(report)};
    describe(check, filled);
}

}  // namespace dse::config
