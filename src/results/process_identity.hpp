#pragma once

#include <string>

namespace dse::results {

/// "<host> <pid> <start>": identifies a process permanently, since the start time distinguishes it from a
/// later one with the same id.
std::string this_process();

enum class Liveness { alive, dead, on_another_machine };

/// State of a process named by this_process(); text of another form counts as dead.
Liveness liveness(const std::string& process);

/// "process 123 on host n1", for messages.
std::string describe(const std::string& process);

}  // namespace dse::results
