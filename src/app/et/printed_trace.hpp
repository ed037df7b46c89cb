#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "app/force.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace dse::app::et {

/// A trace that a command prints in another form, to a file or to standard output.
struct PrintedTrace {
    std::string file;
    std::string output;  ///< standard output if empty
    Existing existing{Existing::refuse};
};

void add_printed_trace(CLI::App& app, PrintedTrace& printed);

/// \param write  writes the other form
/// \throws InputError if the output exists, is the trace itself or cannot be written, and what `write` throws
void print(const PrintedTrace& printed, const std::function<void(std::ostream&)>& write);

}  // namespace dse::app::et
