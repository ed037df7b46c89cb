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

/// A point has no answer: it is infeasible, or outside the validity of a model. Becomes a row with a status
/// and this reason; the sweep goes on.
class ModelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A promise inside dse is broken: a bug. The message carries the place. Ends the program with exit code 3.
class ContractViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// Work was stopped by a signal with everything finished on disk; the same command goes on with it.
/// Ends the program with exit code 4.
class Stopped : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Exit codes of every command.
enum class ExitCode : int { ok = 0, answer_is_no = 1, bad_input = 2, internal_error = 3, stopped = 4 };

}  // namespace dse
