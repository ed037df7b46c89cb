#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/config/library.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Adds to predictions within what the measured ones would lie four times of five, from what validation has
/// shown of their family: iteration times of every mode (of mode serving, decode steps), and peaks of
/// training.
class ErrorBars {
  public:
    /// \param library  has the table of errors, and the models of scenarios. Without a table there are no
    /// bars
    explicit ErrorBars(const config::Library& library);

    /// Cheap for a family that is the last one's.
    void add(const study::Scenario& scenario, metrics::Metrics& metrics);

    /// \param model_template  of a model that is no file of the library
    void add(const study::Scenario& scenario, std::string_view model_template, metrics::Metrics& metrics);

    /// Of a model of the library; "program" of a compiler's program; empty where there is no such model.
    static std::string template_of(const config::Library& library, const graph::WorkloadSpec& workload);

  private:
    /// What the errors of a scenario depend on.
    struct Facts {
        std::string device;
        std::string stack;
        std::string model;
        std::string program;
        std::int64_t devices{-1};
        graph::Mode mode{graph::Mode::training};
    };
    /// Ends of an interval over what is predicted.
    struct Factors {
        double low{0.0};
        double high{0.0};
    };
    [[nodiscard]] bool is_last(const study::Scenario& scenario) const;
    void remember(const study::Scenario& scenario, std::string_view model_template);
    void write(metrics::Metrics& metrics) const;

    config::Library library_;
    ErrorTable table_;
    Facts last_;
    ErrorTable::Widths widths_;  ///< of the last, and what follows from them
    Factors time_;
    Factors memory_;
};

}  // namespace dse::eval
