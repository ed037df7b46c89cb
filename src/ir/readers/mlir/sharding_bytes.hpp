#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dse::ir::mlir {

/// Converts a sharding given as the bytes of its message (OpSharding), as written by TensorFlow and older
/// bridges, to GSPMD's words: `{devices=[2,1]0,1}`. Nothing if the bytes are not such a message.
/// Source: XLA, xla_data.proto
std::optional<std::string> sharding_words(std::string_view bytes);

}  // namespace dse::ir::mlir
