#include "dse/eval/binder.hpp"

#include <algorithm>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::eval {

Binder::Binder(const Sweep& sweep) : scenario_{sweep.base}, fields_{sweep.library} {
    fields_.add("", scenario_);
    const space::Space& space = *sweep.space;
    std::size_t slot = 0;
    for (const space::Axis& axis : space.axes()) add_setter(slot++, axis.info, &axis.labels);
    for (const space::Derived& derived : space.derived()) add_setter(slot++, derived.info, nullptr);
    // A whole struct first, then the fields inside it that the sweep varies as well.
    std::stable_sort(setters_.begin(), setters_.end(),
                     [](const Setter& a, const Setter& b) { return a.whole && !b.whole; });
    last_.assign(setters_.size(), std::numeric_limits<double>::quiet_NaN());
    system_key_.assign(
        static_cast<std::size_t>(std::count_if(setters_.begin(), setters_.end(),
                                               [](const Setter& setter) { return setter.system; })),
        0.0);
}

void Binder::add_setter(std::size_t slot, const config::FieldInfo& info,
                        const std::vector<std::string>* labels) {
    if (info.path.empty()) return;
    std::string error;
    Setter setter{slot, fields_.resolve(info.path, error), labels, false, false};
    DSE_REQUIRE(setter.field != nullptr);
    setter.system = !info.path.starts_with("workload.");
    setter.whole = setter.field->info().sets_others;
    setters_.push_back(setter);
}

void Binder::bind(std::span<const double> values) {
    bool all = false;
    std::size_t key = 0;
    for (std::size_t i = 0; i < setters_.size(); ++i) {
        const Setter& setter = setters_[i];
        const double value = values[setter.slot];
        if (setter.system) system_key_[key++] = value;
        if (value == last_[i] && !all) continue;
        if (setter.field->info().type == config::FieldType::text) {
            setter.field->assign_text((*setter.labels)[static_cast<std::size_t>(value)]);
        } else {
            setter.field->assign(value);
        }
        last_[i] = value;
        all = all || setter.whole;
    }
}

}  // namespace dse::eval
