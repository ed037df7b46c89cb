#include "app/command_line.hpp"

int main(int argc, char** argv) {
    return dse::app::run_command_line({argv + 1, argv + argc});
}
