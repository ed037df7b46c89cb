#pragma once

#include <string_view>
#include <unordered_map>

namespace dse::ir::mlir {

/// The definitions `#name = …` and `!name = …` of a file: text by name, including its mark.
using Aliases = std::unordered_map<std::string_view, std::string_view>;

}  // namespace dse::ir::mlir
