#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/node.hpp"

namespace dse::app {

/// Kind of an input file of dse: YAML, a Chakra trace, or a compiler's program.
enum class FileKind : std::uint8_t {
    sweep,
    model,
    template_file,
    device,
    cluster,
    table,
    learned,
    foreign_costs,
    trace,
    program,
    unknown
};

std::string_view name(FileKind kind);

/// Kind of a YAML file, determined by keys that only one kind has (foreign costs: some value is a map with
/// `flops`), or by its folder if it has none of these keys (because it has a `base`).
FileKind kind_of(const config::Node& root, const std::string& file);

/// Errors and warnings about a file, one line each, with their location.
struct FileCheck {
    std::string file;
    FileKind kind{FileKind::unknown};
    std::vector<std::string> errors;
    std::vector<std::string> warnings;

    [[nodiscard]] bool ok() const { return errors.empty(); }
};

FileCheck check_file(const std::string& file);

}  // namespace dse::app
