#include "names.hpp"

#include <algorithm>
#include <string>

#include "dse/base/nearest.hpp"

namespace dse::ir::hlo {
namespace {

std::string nearest_of(std::string_view name, const std::vector<std::string>& known) {
    const auto near = nearest(name, known);
    return near ? " (did you mean '" + *near + "'?)" : std::string{};
}

}  // namespace

void Names::open() {
    open_.push_back({++scopes_, {}});
}

// Restores the outer computation's names that the inner one hid.
void Names::close() {
    open_.pop_back();
    if (open_.empty()) return;
    open_.back().number = ++scopes_;
    for (const auto& [name, value] : open_.back().values) enter(name, value);
}

Names::Entry& Names::entry(NameId name) {
    if (name.index() >= entries_.size()) entries_.resize(std::max(name.index() + 1, 2 * entries_.size()));
    return entries_[name.index()];
}

bool Names::define(NameId name, ValueId value) {
    if (!enter(name, value)) return false;
    open_.back().values.emplace_back(name, value);
    return true;
}

bool Names::enter(NameId name, ValueId value) {
    Entry& entry = this->entry(name);
    if (entry.scope == open_.back().number) return false;
    entry.scope = open_.back().number;
    entry.value = value;
    return true;
}

bool Names::define(NameId name, ComputationId computation) {
    Entry& entry = this->entry(name);
    if (entry.computation) return false;
    entry.computation = computation;
    return true;
}

std::optional<ValueId> Names::value(NameId name) const {
    if (open_.empty() || name.index() >= entries_.size()) return std::nullopt;
    const Entry& entry = entries_[name.index()];
    if (entry.scope != open_.back().number) return std::nullopt;
    return entry.value;
}

std::optional<ComputationId> Names::computation(NameId name) const {
    if (name.index() >= entries_.size()) return std::nullopt;
    return entries_[name.index()].computation;
}

std::string Names::value_suggestion(std::string_view name) const {
    std::vector<std::string> known;
    for (const auto& [value, id] : open_.back().values) known.emplace_back(program_.text(value));
    return nearest_of(name, known);
}

std::string Names::computation_suggestion(std::string_view name) const {
    std::vector<std::string> known;
    for (const Entry& entry : entries_)
        if (entry.computation) known.emplace_back(program_.text(program_[*entry.computation].name));
    return nearest_of(name, known);
}

}  // namespace dse::ir::hlo
