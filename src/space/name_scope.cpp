#include "space/name_scope.hpp"

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "space/field_names.hpp"

namespace dse::space {

NameScope::NameScope(const SweepSpec& spec, const config::FieldIndex& fields) : spec_{spec}, fields_{fields} {
    for (const Formula& formula : spec.derived) {
        const FieldMatch match = match_field(fields, formula.name);
        targets_.push_back(match.field == nullptr ? "" : match.field->info().path);
    }
}

std::optional<Referent> NameScope::find(std::string_view name, std::string& error) const {
    for (std::size_t i = 0; i < spec_.axes.size(); ++i) {
        if (spec_.axes[i].name == name) return Referent{Referent::Kind::axis, i, nullptr};
    }
    for (std::size_t i = 0; i < spec_.derived.size(); ++i) {
        if (spec_.derived[i].name == name) return Referent{Referent::Kind::derived, i, nullptr};
    }
    const FieldMatch match = match_field(fields_, name);
    if (match.field != nullptr) {
        const auto setter = setter_of(match.field->info().path);
        return setter ? setter : Referent{Referent::Kind::field, 0, match.field};
    }
    error = match.refused ? fields_.why_unresolved(name) : fmt::format("unknown name '{}'", name);
    if (!match.refused) {
        if (const auto close = nearest(name, known())) error += fmt::format(" (did you mean '{}'?)", *close);
    }
    return std::nullopt;
}

std::optional<Referent> NameScope::setter_of(std::string_view path) const {
    for (std::size_t i = 0; i < spec_.axes.size(); ++i) {
        if (spec_.axes[i].info.path == path) return Referent{Referent::Kind::axis, i, nullptr};
    }
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (targets_[i] == path) return Referent{Referent::Kind::derived, i, nullptr};
    }
    return std::nullopt;
}

const std::vector<std::string>& NameScope::known() const {
    if (!known_.empty()) return known_;
    for (const Axis& axis : spec_.axes) known_.push_back(axis.name);
    for (const Formula& formula : spec_.derived) known_.push_back(formula.name);
    for (const config::FieldRef& field : fields_.fields()) {
        const std::string& path = field.info().path;
        known_.push_back(path.substr(path.rfind('.') + 1));
        known_.push_back(path);
    }
    return known_;
}

}  // namespace dse::space
