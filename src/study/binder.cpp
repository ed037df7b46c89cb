#include "dse/study/binder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/base/seed.hpp"
#include "dse/study/draft.hpp"

namespace dse::study {
namespace {

/// What a stack states for kinds of models instead of its launch_factor.
constexpr std::array<std::pair<std::string_view, double graph::SoftwareStack::*>, 2> factors_of_kinds{
    {{"workload.expert_launch_factor", &graph::SoftwareStack::expert_launch_factor},
     {"workload.latent_launch_factor", &graph::SoftwareStack::latent_launch_factor}}};

}  // namespace

Binder::Binder(const Sweep& sweep, const std::vector<config::FieldInfo>& more)
    : scenario_{sweep.base},
      fields_{sweep.library},
      seed_{static_cast<std::uint64_t>(sweep.space->search().seed)} {
    scenario_.sweep_seed = seed_;
    fields_.add("", scenario_);
    const space::Space& space = *sweep.space;
    std::size_t slot = 0;
    for (const space::Axis& axis : space.axes()) add_setter(slot++, axis.info, &axis.labels);
    for (const space::Derived& derived : space.derived())
        add_setter(slot++, derived.info, &derived.info.choices);
    for (const config::FieldInfo& info : more) add_setter(slot++, info, nullptr);
    add_stated(sweep);
    idealized_ = scenario_.workload.preset.name.empty() && !sets("workload.stack") &&
                 !sets("workload.cuda_graphs") && !is_stated(sweep, "workload.cuda_graphs");
    const auto is_set = [&](const std::string& path) { return sets(path) || is_stated(sweep, path); };
    for (const auto& [path, field] : factors_of_kinds) {
        if (is_set("workload.launch_factor") && !is_set(std::string{path})) unset_factors_.push_back(field);
    }
    // Files of the library first. In the index, fields come after the file that contains them: a cluster
    // before its device.
    std::stable_sort(setters_.begin(), setters_.end(), [](const Setter& a, const Setter& b) {
        return a.sets_others() != b.sets_others() ? a.sets_others() : a.field < b.field;
    });
    last_.assign(setters_.size(), std::numeric_limits<double>::quiet_NaN());
    system_key_.assign(static_cast<std::size_t>(std::count_if(
                           setters_.begin(), setters_.end(),
                           [](const Setter& s) { return s.origin == Origin::point && s.is_system(); })),
                       0.0);
}

void Binder::add_setter(std::size_t slot, const config::FieldInfo& info,
                        const std::vector<std::string>* labels) {
    if (info.path.empty()) return;
    Setter setter{fields_.resolve(info.path), Origin::point, slot, labels, 0.0, {}};
    DSE_REQUIRE(setter.field != nullptr);
    setters_.push_back(setter);
}

void Binder::add_stated(const Sweep& sweep) {
    const std::size_t varied = setters_.size();
    for (const std::string& path : sweep.stated) {
        const config::FieldRef* field = fields_.resolve(path);
        DSE_REQUIRE(field != nullptr);
        const bool is_varied =
            std::any_of(setters_.begin(), setters_.begin() + static_cast<std::ptrdiff_t>(varied),
                        [&](const Setter& setter) { return setter.field == field; });
        // The name of a file only matters inside the file that an axis names.
        const bool matters = std::any_of(
            setters_.begin(), setters_.begin() + static_cast<std::ptrdiff_t>(varied),
            [&](const Setter& setter) {
                return setter.sets_others() &&
                       (!field->info().sets_others || path.starts_with(setter.field->info().path + "."));
            });
        if (is_varied || !matters) continue;
        Setter setter{field, Origin::stated, 0, nullptr, 0.0, {}};
        if (field->info().type == config::FieldType::text) {
            setter.text = field->read_text();
        } else {
            setter.value = field->read();
        }
        setters_.push_back(std::move(setter));
    }
}

bool Binder::sets(std::string_view path) const {
    return std::ranges::any_of(setters_,
                               [&](const Setter& setter) { return setter.field->info().path == path; });
}

void Binder::apply(const Setter& setter, std::span<const double> values) const {
    const bool is_text = setter.field->info().type == config::FieldType::text;
    if (setter.origin == Origin::stated) {
        is_text ? setter.field->assign_text(setter.text) : setter.field->assign(setter.value);
    } else if (is_text) {
        setter.field->assign_text((*setter.labels)[static_cast<std::size_t>(values[setter.slot])]);
    } else {
        setter.field->assign(values[setter.slot]);
    }
}

void Binder::bind(const space::Point& point) {
    const std::vector<double>& values = point.values;
    scenario_.seed = seed_of(seed_, point.id);
    // After a library file was set, everything that it may contain is set again.
    bool again = false;
    bool beside_network = false;
    std::size_t key = 0;
    for (std::size_t i = 0; i < setters_.size(); ++i) {
        const Setter& setter = setters_[i];
        const double value = setter.origin == Origin::point ? values[setter.slot] : 0.0;
        if (setter.origin == Origin::point && setter.is_system()) system_key_[key++] = value;
        if (value == last_[i] && !again) continue;
        apply(setter, values);
        last_[i] = value;
        again = again || setter.sets_others();
        beside_network = beside_network || !setter.is_network();
    }
    if (idealized_) {
        graph::WorkloadSpec& workload = scenario_.workload;
        workload.stack.cuda_graphs = is_inference(workload.mode) && !graph::is_laid_out(workload);
    }
    for (double graph::SoftwareStack::*factor : unset_factors_) scenario_.workload.stack.*factor = 0.0;
    if (beside_network) ++beside_network_;
}

}  // namespace dse::study
