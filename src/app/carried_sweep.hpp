#pragma once

#include <filesystem>
#include <string>

namespace dse::app {

/// The sweep that a results file carries, or that a command makes, as a file for as long as this lives.
class CarriedSweep {
  public:
    /// Beside the results: what it names relative to where it stood is most likely found from there.
    /// \throws InputError where it cannot be written
    explicit CarriedSweep(const std::string& results);
    /// \param yaml  of a sweep \param beside  a file in whose folder it is to lie
    CarriedSweep(const std::string& beside, const std::string& yaml);
    ~CarriedSweep();
    CarriedSweep(const CarriedSweep&) = delete;
    CarriedSweep& operator=(const CarriedSweep&) = delete;

    [[nodiscard]] std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace dse::app
