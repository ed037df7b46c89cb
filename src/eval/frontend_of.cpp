#include "dse/eval/frontend_of.hpp"

#include <filesystem>

namespace dse::eval {

std::string folder_of(const study::Sweep& sweep) {
    return std::filesystem::path{sweep.file}.parent_path().string();
}

std::unique_ptr<frontend::WorkloadFrontend> frontend_of(const study::Sweep& sweep) {
    return std::make_unique<frontend::WorkloadFrontend>(sweep.library, folder_of(sweep));
}

}  // namespace dse::eval
