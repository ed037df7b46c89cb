#pragma once

#include <string>

namespace dse::results {

/// "<host> <pid> <start>": names a process for ever, since start tells it from a later one of the same id.
std::string this_process();

enum class Liveness { alive, dead, on_another_machine };

/// What became of a process that this_process() once named; a text of another form names none, which is dead.
Liveness liveness(const std::string& process);

/// "process 123 on host n1", for messages.
std::string describe(const std::string& process);

}  // namespace dse::results
