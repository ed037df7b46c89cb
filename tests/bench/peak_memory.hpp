#pragma once

#include <fstream>
#include <string>

namespace dse::test {

/// The most memory that this process has had resident since the last reset, in MB.
inline double peak_megabytes() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;) {
        if (word != "VmHWM:") continue;
        double kilobytes = 0;
        file >> kilobytes;
        return kilobytes / 1024;
    }
    return 0;
}

inline void reset_peak_memory() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace dse::test
