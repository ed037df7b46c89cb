#pragma once

#include <string>

#include "dse/base/temporary_path.hpp"

namespace dse::app {

/// Temporary file with the sweep that a results file contains, or that a command makes. It exists as long as
/// this object.
class CarriedSweep {
  public:
    /// \param beside  a file, such as the results, next to which the sweep is written, because relative paths
    ///                of the sweep most likely resolve there; if that folder is read-only, the sweep is
    ///                written to temporary_folder()
    /// \param yaml    text of the sweep
    /// \throws InputError if it cannot be written
    CarriedSweep(const std::string& beside, const std::string& yaml);

    [[nodiscard]] std::string path() const { return file_.path().string(); }

  private:
    TemporaryPath file_;
};

}  // namespace dse::app
