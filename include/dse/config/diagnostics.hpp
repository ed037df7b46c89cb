#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dse/config/location.hpp"

namespace dse::config {

enum class Severity { error, warning };

/// One error in an input: location, key, what is wrong, and what would be right.
struct Diagnostic {
    Location where;
    std::string path;     ///< dotted path of the key, e.g. "system.cluster.network"; may be empty
    std::string message;  ///< what, why, and the nearest right thing
    Severity severity{Severity::error};
};

/// Collects every error of an input, so that the user sees all of them at once.
class Diagnostics {
  public:
    void error(const Location& where, std::string_view path, std::string message);
    void warning(const Location& where, std::string_view path, std::string message);

    /// The value at this path could not be read in full. Its errors, reported where they are in files of
    /// their own, explain whatever it lacks.
    void incomplete(std::string_view path) { incomplete_.emplace_back(path); }
    /// Whether that holds for the value at this path, or for one that contains it.
    [[nodiscard]] bool is_incomplete(std::string_view path) const;

    [[nodiscard]] bool ok() const { return error_count_ == 0; }
    [[nodiscard]] std::size_t error_count() const { return error_count_; }
    [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }

    /// The first 200 distinct errors in order of location, one per line: "file:line:column: error: path:
    /// message".
    [[nodiscard]] std::string text() const;

    /// \throws InputError with text() if there is an error
    void throw_if_any() const;

  private:
    std::vector<Diagnostic> all_;
    std::vector<std::string> incomplete_;
    std::size_t error_count_{0};
};

}  // namespace dse::config
