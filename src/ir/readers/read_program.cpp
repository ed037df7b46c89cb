#include "dse/ir/readers/read_program.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "dse/ir/readers/fx/read_fx.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/readers/cursor.hpp"

namespace dse::ir {
namespace {

/// The text after leading blanks and `//` comments.
std::string_view first_words(const Source& source) {
    Cursor cursor{source};
    for (cursor.skip_blanks(); cursor.peek() == '/' && cursor.peek(1) == '/'; cursor.skip_blanks())
        cursor.skip_line();
    return cursor.rest();
}

std::optional<Language> by_beginning(std::string_view text) {
    constexpr std::array<std::string_view, 2> hlo{"HloModule", "ENTRY "};
    constexpr std::array<std::string_view, 7> mlir{"module", "func.func", "#", "!", "\"", "sdy.mesh", "{-#"};
    const auto begins = [text](std::string_view word) { return text.starts_with(word); };
    if (std::any_of(hlo.begin(), hlo.end(), begins)) return Language::hlo;
    // A Python comment starts like an MLIR alias, but with a blank after the mark.
    if (text.starts_with("# ")) return is_fx(text) ? std::optional{Language::fx} : std::nullopt;
    if (std::any_of(mlir.begin(), mlir.end(), begins)) return Language::mlir;
    if (is_fx(text) || text.starts_with("[") || text.starts_with("{")) return Language::fx;
    return std::nullopt;
}

std::optional<Language> by_name(std::string_view name) {
    for (const std::string_view packed : {".gz", ".txt"}) {
        if (name.ends_with(packed)) name.remove_suffix(packed.size());
    }
    if (name.ends_with(".hlo")) return Language::hlo;
    if (name.ends_with(".mlir") || name.ends_with(".stablehlo")) return Language::mlir;
    if (name.ends_with(".py") || name.ends_with(".log")) return Language::fx;
    return std::nullopt;
}

// Limit for devices, which a text may list one by one; larger numbers are errors, and tables by device would
// not fit.
constexpr std::int64_t most_devices = std::int64_t{1} << 22U;

void check_devices(const Program& program, const Source& source) {
    if (program.replicas >= 1 && program.partitions >= 1 && program.replicas <= most_devices &&
        program.partitions <= most_devices / program.replicas)
        return;
    source.refuse(0, fmt::format("'{}' runs on {} replicas of {} partitions (1 to {} devices)", program.name,
                                 program.replicas, program.partitions, most_devices));
}

Program read_checked(const Source& source, Program (*read)(const Source&)) {
    Program program = read(source);
    check_devices(program, source);
    return program;
}

}  // namespace

Language language_of(const Source& source) {
    const std::string_view text = first_words(source);
    if (const auto language = by_beginning(text)) return *language;
    if (const auto language = by_name(source.name())) return *language;
    // A computation of HLO without a header: "%name (…) -> … {".
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('{') && line.find("->") != std::string_view::npos) return Language::hlo;
    if (source.text().empty()) source.refuse(0, "the file is empty");
    source.refuse(source.text().size() - text.size(),
                  "is neither HLO (HloModule) nor MLIR (module, func.func) nor an FX graph (def forward)");
}

Program read_program(const Source& source) {
    switch (language_of(source)) {
        case Language::hlo:
            return read_checked(source, read_hlo);
        case Language::mlir:
            return read_checked(source, read_mlir);
        case Language::fx:
            break;
    }
    return read_checked(source, read_fx);
}

std::vector<Program> read_programs(const Source& source) {
    std::vector<Program> programs;
    switch (language_of(source)) {
        case Language::hlo:
            programs = read_hlo_modules(source);
            break;
        case Language::mlir:
            programs = read_mlir_modules(source);
            break;
        case Language::fx:
            programs.push_back(read_fx(source));
            break;
    }
    for (const Program& program : programs) check_devices(program, source);
    return programs;
}

}  // namespace dse::ir
