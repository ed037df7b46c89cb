#pragma once

#include <stdexcept>
#include <string>

namespace dse {

/// The user's input is wrong: a file, an option, a value. The message says what, where, why and the nearest
/// right thing. Ends the program with exit code 2.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A point has no result: it is infeasible, or outside the validity of a model. It becomes a row with a
/// status and this reason; the sweep continues.
class ModelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A contract inside dse is violated, which is a bug. The message names the location. Ends the program with
/// exit code 3.
class ContractViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// Work was stopped by a signal. The rows of a sweep that are finished are on disk, and the same command
/// resumes it; other commands begin again. Ends the program with exit code 4.
class Stopped : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Exit codes of every command.
enum class ExitCode : int { ok = 0, answer_is_no = 1, bad_input = 2, internal_error = 3, stopped = 4 };

}  // namespace dse
