#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dse/explore/campaign.hpp"
#include "dse/results/record_columns.hpp"
#include "dse/study/sweep.hpp"

namespace dse::python {

/// A value of an axis as Python has it: a number in SI units (a flag is 0 or 1), or text as sweeps write it.
using Value = std::variant<double, std::string>;

/// A sweep and what answers its points, for one thread.
class SweepHandle {
  public:
    /// \param settings  "key=value", as --set takes them
    SweepHandle(const std::string& file, const std::vector<std::string>& settings);

    [[nodiscard]] const study::Sweep& sweep() const { return *sweep_; }
    /// Names of the columns of an answer.
    [[nodiscard]] const std::vector<results::MetricColumn>& metrics() const { return metrics_; }

    /// The point with these values of axes; axes that are left out take their first value that is valid
    /// together with the others. \throws InputError where there is none
    space::Point find(const std::vector<std::pair<std::string, Value>>& settings) const;

    /// Answers a point. \param values  by metric; NaN where there is none
    /// \return status and reason
    std::pair<std::string_view, std::string_view> evaluate(const space::Point& point,
                                                           std::vector<double>& values);

    /// What `dse point --json` prints of it.
    [[nodiscard]] std::string explain(const space::Point& point, bool what_if) const;

  private:
    std::shared_ptr<const study::Sweep> sweep_;
    explore::Evaluate answers_;
    std::vector<results::MetricColumn> metrics_;
    results::RecordColumns columns_;
    space::Record record_;
};

}  // namespace dse::python
