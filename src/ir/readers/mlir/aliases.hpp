#pragma once

#include <string_view>
#include <unordered_map>

namespace dse::ir::mlir {

/// What a file's `#name = …` and `!name = …` stand for: by name with its mark, as text of the file.
using Aliases = std::unordered_map<std::string_view, std::string_view>;

}  // namespace dse::ir::mlir
