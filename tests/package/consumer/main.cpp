// Compiles against the installed headers, links the installed archives, finds the installed data.
#include <cstdio>
#include <filesystem>

#include "dse/base/hash.hpp"
#include "dse/base/units.hpp"
#include "dse/graph/mesh.hpp"

int main() {
    dse::graph::Mesh mesh;
    mesh = dse::graph::Mesh::dense(8, 1, 16, 4);
    if (mesh.ranks() != 8 * 16 * 4) {
        return 1;
    }
    const dse::Seconds time = dse::Bytes{1e9} / dse::BytesPerSecond{2e9};
    if (time != dse::Seconds{0.5}) {
        return 2;
    }
    for (const char* folder : {"workloads", "hardware", "sweeps"}) {
        if (!std::filesystem::is_directory(std::filesystem::path{DSE_DATA_DIR} / folder)) {
            std::printf("no %s in %s\n", folder, DSE_DATA_DIR);
            return 3;
        }
    }
    std::printf("dse as a library: %lld ranks\n", static_cast<long long>(mesh.ranks()));
    return 0;
}
