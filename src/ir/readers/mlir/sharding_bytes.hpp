#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dse::ir::mlir {

/// GSPMD's words, `{devices=[2,1]0,1}`, for a sharding that stands in an attribute as the bytes of its
/// message (OpSharding): what TensorFlow and older bridges write. Nothing where the bytes are no such
/// message. Source: XLA, xla_data.proto
std::optional<std::string> sharding_words(std::string_view bytes);

}  // namespace dse::ir::mlir
