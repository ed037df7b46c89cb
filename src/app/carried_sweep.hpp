#pragma once

#include <string>

#include "dse/base/temporary_path.hpp"

namespace dse::app {

/// Temporary file with the sweep that a results file contains, or that a command makes. It exists as long as
/// this object.
class CarriedSweep {
  public:
    /// The file is written next to the results, where relative paths of the sweep most likely resolve.
    /// \throws InputError if it cannot be written
    explicit CarriedSweep(const std::string& results);
    /// \param beside  a file next to which the sweep is written
    /// \param yaml    text of the sweep
    CarriedSweep(const std::string& beside, const std::string& yaml);

    [[nodiscard]] std::string path() const { return file_.path().string(); }

  private:
    TemporaryPath file_;
};

}  // namespace dse::app
