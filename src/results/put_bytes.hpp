#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dse::results {

/// Appends the bytes of values, as they are in memory.
template <class T>
void put_bytes(const std::vector<T>& values, std::vector<std::byte>& to) {
    const auto bytes = std::as_bytes(std::span{values});
    to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace dse::results
