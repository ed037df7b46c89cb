#include "dse/eval/frontend_of.hpp"

#include <filesystem>

namespace dse::eval {

std::unique_ptr<frontend::WorkloadFrontend> frontend_of(const study::Sweep& sweep) {
    const std::string folder = std::filesystem::path{sweep.file}.parent_path().string();
    return std::make_unique<frontend::WorkloadFrontend>(sweep.library, folder);
}

}  // namespace dse::eval
