#pragma once

#include <string>
#include <vector>

#include "dse/study/complete.hpp"
#include "dse/study/named_files.hpp"
#include "dse/study/read_sweep.hpp"
#include "support/sweep_files.hpp"

namespace dse::test {

/// Names of predictors that nobody need have.
inline study::PredictorNames some_names() {
    return {{"compute model", {"roofline", "table"}},
            {"network model", {"latency_bandwidth", "flow"}},
            {"engine", {"folded", "event"}}};
}

/// Reads a sweep on the word of a test that its models and programs are so.
inline study::Sweep load_with(const study::WorkloadFacts& facts, const std::string& file,
                              const std::vector<study::Setting>& settings) {
    return study::complete(study::read_sweep(file, settings, some_names()), facts);
}

/// Sweeps of models of which nothing is known.
class SweepFiles : public WrittenSweeps {
  public:
    SweepFiles()
        : WrittenSweeps{[](const std::string& file, const Settings& settings) {
              return load_with({}, file, settings);
          }} {}
};

}  // namespace dse::test
