#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dse/config/library.hpp"
#include "dse/eval/error_table.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Adds 80 % intervals for the measured values to predictions, based on the validation errors of their
/// family. Covers iteration times of every mode (in mode serving, of decode steps), memory peaks of training,
/// and in mode serving means and medians of times to first token and per output token.
class ErrorBars {
  public:
    /// \param library  contains the error table and the models of the scenarios. If it has no error table,
    /// no bars are added
    explicit ErrorBars(const config::Library& library);

    /// Cheap if the scenario belongs to the same family as the last one.
    void add(const study::Scenario& scenario, metrics::Metrics& metrics);

    /// \param model_template  template of a model that is not a file of the library
    void add(const study::Scenario& scenario, std::string_view model_template, metrics::Metrics& metrics);

    /// Template of a model of the library; "program" for a compiler's program; empty if there is no such
    /// model.
    static std::string template_of(const config::Library& library, const graph::WorkloadSpec& workload);

  private:
    /// The properties of a scenario that determine its errors.
    struct Facts {
        std::string device;
        std::string stack;
        std::string model;
        std::string program;
        std::int64_t devices{-1};
        graph::Mode mode{graph::Mode::training};
        std::int64_t prompt{0};                                         ///< see ErrorTable::Case
        ErrorTable::Products products{ErrorTable::Products::measured};  ///< axes may change the device's
    };
    /// Ends of an interval, relative to the prediction. 0: unknown.
    struct Factors {
        Factors() = default;
        explicit Factors(const ErrorInterval& interval);
        [[nodiscard]] bool known() const { return high > 0.0; }
        /// Sets the ends of the interval around a prediction, if they are known.
        void write(double predicted, double& from, double& to) const;
        double low{0.0};
        double high{0.0};
    };
    [[nodiscard]] bool is_last(const study::Scenario& scenario) const;
    void remember(const study::Scenario& scenario, std::string_view model_template);
    void write(Tensors tensors, metrics::Metrics& metrics) const;
    void write_latencies(metrics::Metrics& metrics) const;

    config::Library library_;
    ErrorTable table_;
    Facts last_;
    // For last_:
    Factors time_;
    Factors split_;  ///< as time_, with tensor parallelism: not in last_, since points of a sweep alternate
    ErrorInterval need_;  ///< of the memory that a run needs, over the predicted peak
    Factors memory_;
    Factors first_token_;  ///< mode serving only
};

}  // namespace dse::eval
