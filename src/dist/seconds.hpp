#pragma once

#include <chrono>

namespace dse::dist {

inline double seconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace dse::dist
