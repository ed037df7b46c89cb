#pragma once

#include <span>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/eval/sweep.hpp"

namespace dse::eval {

/// Puts the values of a point into a scenario. Compiled once: no YAML, no names, no allocation a point.
class Binder {
  public:
    explicit Binder(const Sweep& sweep);
    Binder(const Binder&) = delete;
    Binder& operator=(const Binder&) = delete;

    /// \param values  of a point, as space::Point has them
    void bind(std::span<const double> values);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }

    /// The values of the point that set something of the system or the fidelity: equal keys, equal machine.
    [[nodiscard]] std::span<const double> system_key() const { return system_key_; }

  private:
    struct Setter {
        std::size_t slot{0};
        const config::FieldRef* field{nullptr};
        const std::vector<std::string>* labels{nullptr};  ///< of a text
        bool whole{false};                                ///< sets a struct that other fields are part of
        bool system{false};                               ///< is part of the system or the fidelity
    };
    void add_setter(std::size_t slot, const config::FieldInfo& info, const std::vector<std::string>* labels);

    Scenario scenario_;
    config::FieldIndex fields_;
    std::vector<Setter> setters_;
    std::vector<double> last_;
    std::vector<double> system_key_;
};

}  // namespace dse::eval
