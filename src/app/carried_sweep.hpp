#pragma once

#include <string>

#include "dse/base/temporary_path.hpp"

namespace dse::app {

/// The sweep that a results file carries, or that a command makes, as a file for as long as this lives.
class CarriedSweep {
  public:
    /// Beside the results: what it names relative to where it stood is most likely found from there.
    /// \throws InputError where it cannot be written
    explicit CarriedSweep(const std::string& results);
    /// \param yaml  of a sweep \param beside  a file in whose folder it is to lie
    CarriedSweep(const std::string& beside, const std::string& yaml);

    [[nodiscard]] std::string path() const { return file_.path().string(); }

  private:
    TemporaryPath file_;
};

}  // namespace dse::app
