#include "eval/validation/metric_unit.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "dse/base/lower_case.hpp"
#include "eval/validation/row_names.hpp"

namespace dse::eval {
namespace {

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, text) != names.end();
}

/// "tokens/s (total)" has the words tokens, s and total.
std::vector<std::string> unit_words(const std::string& unit) {
    std::vector<std::string> words(1);
    for (const char c : unit) {
        if (std::string_view{"/ _()*"}.find(c) != std::string_view::npos) {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    std::erase(words, "");
    return words;
}

/// Whether a unit is that of a rate: "tok/s/gpu", "samples per second", but not "ktok/s" or "tokens/day".
bool is_rate_of(std::string_view item, const std::string& unit) {
    const std::vector<std::string> words = unit_words(unit);
    return !words.empty() && words.front().starts_with(item) &&
           std::ranges::any_of(words, [](const auto& word) {
               return is_any_of(word, {"s", "sec", "second", "seconds"});
           });
}

}  // namespace

bool is_percent(std::string_view unit) {
    return unit == "%" || lower_case(unit) == "percent";
}

std::string_view units_instead_of(std::string_view metric, std::string_view unit) {
    if (unit.empty()) return {};
    const std::string name = lower_case(metric);
    const std::string text = lower_case(unit);
    const auto names_a = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    const auto unless = [](bool is_right, std::string_view units) {
        return is_right ? std::string_view{} : units;
    };
    if (names_a("mfu"))
        return unless(is_percent(unit) || is_any_of(text, {"1", "fraction", "share", "ratio"}),
                      "%, or a share");
    if (names_a("tflop")) return unless(text.starts_with("tflop"), "TFLOP/s");
    if (names_a("_per_s") || names_a("/s") || names_a("throughput")) {
        if (names_a("tokens")) return unless(is_rate_of("tok", text), "tokens/s");
        if (names_a("samples") || names_a("sequences"))
            return unless(is_rate_of("sample", text) || is_rate_of("seq", text), "samples/s");
    }
    if (names_a("iteration_time") || names_a("step_time"))
        return unless(seconds_of(1.0, unit).has_value(), "s or ms");
    return {};
}

}  // namespace dse::eval
