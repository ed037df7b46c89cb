#pragma once

#include <cstdint>
#include <string_view>

namespace dse::trace::kineto {

/// Bytes of an element by PyTorch's names of types, in either spelling ("float", "Float", "c10::BFloat16");
/// 0 of what is unknown.
std::int64_t element_bytes(std::string_view type);

}  // namespace dse::trace::kineto
