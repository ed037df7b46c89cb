#pragma once

#include <cstdint>
#include <string_view>

namespace dse::trace::kineto {

/// Bytes per element of a PyTorch type, in either spelling ("float", "Float", "c10::BFloat16"); 0 if unknown.
std::int64_t element_bytes(std::string_view type);

}  // namespace dse::trace::kineto
