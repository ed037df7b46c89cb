#pragma once

#include <cstdint>
#include <string_view>

namespace dse::trace::chakra {

/// Totals over all tensors in a text.
struct PrintedTensors {
    std::uint64_t elements{0};
    std::uint64_t bytes{0};
};

/// Finds tensors as PyTorch's execution traces print them, [id, storage, offset, elements, bytes per element,
/// 'device'], in lists nested to any depth.
PrintedTensors printed_tensors(std::string_view values);

}  // namespace dse::trace::chakra
