#pragma once

#include <cstdint>
#include <string_view>

namespace dse::trace::chakra {

/// What all tensors of a text add up to.
struct PrintedTensors {
    std::uint64_t elements{0};
    std::uint64_t bytes{0};
};

/// Finds tensors as PyTorch's execution traces print them, [id, storage, offset, elements, bytes an element,
/// 'device'], at any depth of lists.
PrintedTensors printed_tensors(std::string_view values);

}  // namespace dse::trace::chakra
