#include "app/launch.hpp"

#include <array>
#include <cstdlib>
#include <iostream>

namespace dse::app {

int launch_rank() {
    constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    for (const char* variable : variables) {
        if (const char* value = std::getenv(variable)) return std::atoi(value);
    }
    return 0;
}

void print_error(const std::string& text) {
    if (launch_rank() == 0) std::cerr << "dse: " << text << std::endl;
}

}  // namespace dse::app
