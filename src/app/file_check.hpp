#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/node.hpp"

namespace dse::app {

/// What a file of dse can be: YAML, a Chakra trace, or a compiler's program.
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

/// Of YAML, by the keys that only one kind has (foreign costs: some value is a map with `flops`); where a
/// file has none of them (it has a `base`), by its folder.
FileKind kind_of(const config::Node& root, const std::string& file);

/// What is wrong with a file, and what looks wrong; a line each, with its place.
struct FileCheck {
    std::string file;
    FileKind kind{FileKind::unknown};
    std::vector<std::string> errors;
    std::vector<std::string> warnings;

    [[nodiscard]] bool ok() const { return errors.empty(); }
};

FileCheck check_file(const std::string& file);

}  // namespace dse::app
