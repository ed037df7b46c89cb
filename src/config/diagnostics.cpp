#include "dse/config/diagnostics.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"

namespace dse::config {
namespace {

std::string line_of(const Diagnostic& diagnostic) {
    const std::string place = to_string(diagnostic.where);
    return printable(fmt::format("{}{}{}: {}{}{}", place, place.empty() ? "" : ": ",
                                 diagnostic.severity == Severity::error ? "error" : "warning",
                                 diagnostic.path, diagnostic.path.empty() ? "" : ": ", diagnostic.message));
}

auto place_of(const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.where.file ? std::string_view{*diagnostic.where.file} : std::string_view{},
                      diagnostic.where.line, diagnostic.where.column);
}

}  // namespace

std::string to_string(const Location& location) {
    if (!location.file) return "";
    if (location.line == 0) return *location.file;
    return fmt::format("{}:{}:{}", *location.file, location.line, location.column);
}

void Diagnostics::error(const Location& where, std::string_view path, std::string message) {
    all_.push_back({where, std::string{path}, std::move(message), Severity::error});
    ++error_count_;
}

void Diagnostics::warning(const Location& where, std::string_view path, std::string message) {
    all_.push_back({where, std::string{path}, std::move(message), Severity::warning});
}

bool Diagnostics::is_incomplete(std::string_view path) const {
    return std::ranges::any_of(incomplete_, [path](const std::string& whole) {
        return path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
    });
}

std::string Diagnostics::text() const {
    std::vector<Diagnostic> ordered = all_;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return place_of(a) < place_of(b); });
    std::vector<std::string> lines;
    lines.reserve(ordered.size());
    for (const Diagnostic& diagnostic : ordered) lines.push_back(line_of(diagnostic));
    // A file that is read for two purposes reports its errors only once.
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    constexpr std::size_t most_lines = 200;
    if (lines.size() > most_lines) {
        const std::size_t left_out = lines.size() - most_lines;
        lines.resize(most_lines);
        lines.push_back(fmt::format("… and {} more", left_out));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

void Diagnostics::throw_if_any() const {
    if (!ok()) throw InputError(text());
}

}  // namespace dse::config
