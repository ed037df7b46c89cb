#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// Puts the values of a point into a scenario. Compiled once: no YAML, no names, no allocation a point.
///
/// An axis may name files of the library (cluster, device, stack). Such a file sets many fields; what the
/// sweep states itself (Sweep::stated) and what other axes vary goes before it.
class Binder {
  public:
    /// \param more  fields whose values stand behind those of a point; no axis sets them
    explicit Binder(const Sweep& sweep, const std::vector<config::FieldInfo>& more = {});
    Binder(const Binder&) = delete;
    Binder& operator=(const Binder&) = delete;

    /// \param point  of the sweep's space
    void bind(const space::Point& point);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }

    /// The values of the point that set something of the system or the fidelity: equal keys, equal machine.
    [[nodiscard]] std::span<const double> system_key() const { return system_key_; }

  private:
    /// Where a setter's value comes from.
    enum class Origin { point, stated };

    struct Setter {
        const config::FieldRef* field{nullptr};
        Origin origin{Origin::point};
        std::size_t slot{0};                              ///< of the point
        const std::vector<std::string>* labels{nullptr};  ///< of a text of the point
        double value{0.0};                                ///< as stated
        std::string text;                                 ///< as stated
        /// The order of application: a file of the library first, then the fields inside it that the sweep
        /// states, then those that it varies.
        [[nodiscard]] int pass() const;
        [[nodiscard]] bool sets_others() const { return field->info().sets_others; }
        [[nodiscard]] bool is_system() const { return !field->info().path.starts_with("workload."); }
    };
    void add_setter(std::size_t slot, const config::FieldInfo& info, const std::vector<std::string>* labels);
    void add_stated(const Sweep& sweep);
    void apply(const Setter& setter, std::span<const double> values) const;

    Scenario scenario_;
    config::FieldIndex fields_;
    std::uint64_t seed_;  ///< of the sweep
    std::vector<Setter> setters_;
    std::vector<double> last_;
    std::vector<double> system_key_;
};

}  // namespace dse::study
