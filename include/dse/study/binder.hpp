#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/config/field_index.hpp"
#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// Sets the values of a point in a scenario. It is compiled once per sweep: binding a point involves no YAML,
/// no names and no allocation.
///
/// An axis may name files of the library (cluster, device, stack). Such a file sets many fields; fields that
/// the sweep sets itself (Sweep::stated) or that other axes vary take precedence.
///
/// Without a stack, hosts launch the kernels of training and of programs one by one, and engines replay CUDA
/// graphs, so that launches of inference cost no time (in mode serving, but for prompts that are longer than
/// `serving.graph_tokens`); `cuda_graphs` overrides it.
class Binder {
  public:
    /// \param more  fields whose values follow those of a point; no axis may set them
    explicit Binder(const Sweep& sweep, const std::vector<config::FieldInfo>& more = {});
    Binder(const Binder&) = delete;
    Binder& operator=(const Binder&) = delete;

    /// \param point  of the sweep's space
    void bind(const space::Point& point);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }

    /// The values of the point that affect system or fidelity: equal keys mean equal machines.
    [[nodiscard]] std::span<const double> system_key() const { return system_key_; }

    /// Number that changes whenever bind() sets a field outside of system.cluster.network: scenarios with the
    /// same number differ in nothing but the network and the point's seed.
    [[nodiscard]] std::uint64_t beside_network() const { return beside_network_; }

  private:
    /// Where a setter's value comes from.
    enum class Origin { point, stated };

    struct Setter {
        const config::FieldRef* field{nullptr};
        Origin origin{Origin::point};
        std::size_t slot{0};                              ///< index into the point
        const std::vector<std::string>* labels{nullptr};  ///< values of a text axis, or of a derived text
        double value{0.0};                                ///< value set in the sweep
        std::string text;                                 ///< text set in the sweep
        [[nodiscard]] bool sets_others() const { return field->info().sets_others; }
        [[nodiscard]] bool is_system() const { return !field->info().path.starts_with("workload."); }
        [[nodiscard]] bool is_network() const {
            return field->info().path.starts_with("system.cluster.network.");
        }
    };
    void add_setter(std::size_t slot, const config::FieldInfo& info, const std::vector<std::string>* labels);
    void add_stated(const Sweep& sweep);
    [[nodiscard]] bool sets(std::string_view path) const;
    void apply(const Setter& setter, std::span<const double> values) const;

    Scenario scenario_;
    config::FieldIndex fields_;
    std::uint64_t seed_;  ///< of the sweep
    std::vector<Setter> setters_;
    std::vector<double> last_;
    std::vector<double> system_key_;
    std::uint64_t beside_network_{0};
    bool idealized_{false};  ///< neither a stack nor `cuda_graphs` is set
    /// Launch factors of kinds of models that a stack may state, where the sweep sets launch_factor for all.
    std::vector<double graph::SoftwareStack::*> unset_factors_;
};

}  // namespace dse::study
