#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "fuzz/invariant.hpp"

namespace dse::fuzz {

/// The input as a file of this process, which is written over again and again and removed at the end.
/// \tparam number  of the file, where an input makes several \param ending  of its name, the same in every
/// call
template <int number = 0>
inline const std::string& input_file(const std::uint8_t* data, std::size_t size, const char* ending) {
    static const std::string path = "/tmp/dse_fuzz." + std::to_string(getpid()) + ending;
    static const bool registered = std::atexit([] { std::remove(path.c_str()); }) == 0;
    DSE_INVARIANT(registered);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    DSE_INVARIANT(file != nullptr);
    DSE_INVARIANT(std::fwrite(data, 1, size, file) == size);
    std::fclose(file);
    return path;
}

}  // namespace dse::fuzz
