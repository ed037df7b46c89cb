#include "study/sweep_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "dse/base/nearest.hpp"
#include "dse/config/file_name.hpp"
#include "dse/config/merge.hpp"
#include "dse/config/source_text.hpp"
#include "dse/space/joint_axis.hpp"
#include "dse/space/sweep_spec.hpp"

namespace dse::study {
namespace {

using config::FieldIndex;
using config::FieldRef;
using config::Node;

constexpr std::int64_t most_devices = 1'048'576;

std::string join(const std::string& outer, const std::string& key) {
    return outer.empty() ? key : outer + "." + key;
}

/// Entries of a node that fields can be added to: a map unchanged, a list by the numbers of its items; the
/// name of a file becomes a map with that name as its base.
std::vector<Node::Entry> entries_of(const Node& node) {
    const bool names_file = node.is_scalar() && node.path().find('.') != std::string::npos;
    if (names_file) return {{"base", node.location(), node}};
    return config::numbered(node).entries();
}

/// `map` with the value at a dotted path inserted or replaced.
Node with_value(const Node& map, std::string_view path, const Node& value) {
    const std::size_t dot = path.find('.');
    const std::string key{path.substr(0, dot)};
    std::vector<Node::Entry> entries = entries_of(map);
    auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Node::Entry& e) { return e.key == key; });
    if (entry == entries.end()) {
        entries.push_back({key, value.location(), Node::map({}, join(map.path(), key), map.location())});
        entry = entries.end() - 1;
    }
    entry->value =
        dot == std::string_view::npos ? value : with_value(entry->value, path.substr(dot + 1), value);
    return Node::map(std::move(entries), map.path(), map.location());
}

/// Name of the axis that is called `key` or sets the field of that name; empty if there is none.
std::string axis_of(const Node& root, const std::string& key, const FieldIndex& fields) {
    const Node* axes = root.find("axes");
    if (axes == nullptr) return "";
    const FieldRef* field = fields.resolve(key);
    for (const Node::Entry& axis : axes->entries()) {
        if (axis.key == key || (field != nullptr && fields.resolve(axis.key) == field)) {
            return axis.key;
        }
    }
    return "";
}

const Node* first_value(const Node& axis) {
    if (axis.is_scalar()) return &axis;
    if (axis.is_sequence()) return axis.items().empty() ? nullptr : &axis.items().front();
    if (axis.find("when") != nullptr) return nullptr;  // if the axis is idle, the field keeps its own value
    return axis.find("from");
}

/// Collects the fields that a document sets.
class StatedFields {
  public:
    explicit StatedFields(const FieldIndex& fields) : fields_{fields} {}

    void add(const Node& node, const std::string& path, bool beside_file) {
        const FieldRef* field = fields_.find(path);
        const bool holds_fields = node.is_map() && node.find("value") == nullptr;
        if (!holds_fields) {
            if (field != nullptr) stated_.insert(path);
            return;
        }
        const bool file = field != nullptr && field->info().sets_others;
        const bool has_base = node.find("base") != nullptr;
        if (file && !has_base && !beside_file) return;
        for (const Node::Entry& entry : node.entries()) {
            if (entry.key == "base") {
                stated_.insert(path);
            } else {
                add(entry.value, path_below(path, entry.key), beside_file || has_base);
            }
        }
    }

    [[nodiscard]] std::vector<std::string> in_order() const {
        std::vector<std::string> result;
        for (const FieldRef& field : fields_.fields()) {
            if (stated_.contains(field.info().path)) result.push_back(field.info().path);
        }
        return result;
    }

  private:
    /// The fields of a preset are its siblings: "workload.stack" provides "workload.zero".
    [[nodiscard]] std::string path_below(const std::string& path, const std::string& key) const {
        std::string below = join(path, key);
        const FieldRef* outer = fields_.find(path);
        if (outer == nullptr || !outer->info().sets_others || fields_.find(below) != nullptr) return below;
        const std::string beside = join(path.substr(0, path.rfind('.')), key);
        return fields_.find(beside) != nullptr ? beside : below;
    }

    const FieldIndex& fields_;
    std::set<std::string> stated_;
};

/// The entry by which the sweep derives a field; nullptr if there is none.
const Node::Entry* derivation_of(const Node& root, const std::string& key, const FieldRef& field,
                                 const FieldIndex& fields) {
    const Node* derive = root.find("derive");
    if (derive == nullptr) return nullptr;
    for (const Node::Entry& entry : derive->entries()) {
        if (entry.key == key || fields.resolve(entry.key) == &field) return &entry;
    }
    return nullptr;
}

/// A value as an expression has it: names and quantities in quotes.
std::string literal(const std::string& value, config::FieldType type) {
    using config::FieldType;
    const bool is_bare = type == FieldType::integer || type == FieldType::number || type == FieldType::flag;
    return is_bare ? value : "'" + value + "'";
}

/// The root with one more requirement, beside those of the sweep, whose lines messages name.
Node with_requirement(const Node& root, const std::string& condition) {
    const Node* others = root.find(space::demanded_key);
    const std::string all = others == nullptr ? condition : others->text() + " and " + condition;
    return with_value(root, space::demanded_key, Node::scalar(all, space::demanded_key, "--set"));
}

/// The axis whose records set a field; nullptr where none does.
const Node::Entry* joint_axis_of(const Node& root, const std::string& key, const FieldRef& field,
                                 const FieldIndex& fields) {
    const Node* axes = root.find("axes");
    if (axes == nullptr) return nullptr;
    for (const Node::Entry& axis : axes->entries()) {
        const std::vector<const Node*> records = space::records_of(axis.value);
        if (records.empty()) continue;
        for (const Node::Entry& entry : records.front()->entries())
            if (entry.key == key || fields.resolve(entry.key) == &field) return &axis;
    }
    return nullptr;
}

/// What an axis has after a setting: one value, or the record that the setting calls by its label.
Node value_of_axis(const Node& values, const std::string& axis, const Setting& setting,
                   config::Diagnostics& diagnostics) {
    Node value = Node::scalar(setting.value, "axes." + axis, "--set");
    const std::vector<const Node*> records = space::records_of(values);
    std::vector<std::string> labels;
    for (const Node* record : records) {
        labels.push_back(space::label_of(*record, *records.front()));
        if (labels.back() == setting.value) return *record;
    }
    if (records.empty()) return value;
    diagnostics.error(
        value.location(), setting.key,
        fmt::format("no record is called '{}'{}; the first is '{}'", config::excerpt(setting.value),
                    suggestion(setting.value, labels), labels.front()));
    return values;
}

/// The root with one setting put in.
Node with_setting(const Node& root, const Setting& setting, const FieldIndex& fields,
                  config::Diagnostics& diagnostics) {
    const std::string axis = axis_of(root, setting.key, fields);
    if (!axis.empty()) {
        const Node* axes = root.find("axes");
        std::vector<Node::Entry> entries = axes->entries();
        for (Node::Entry& entry : entries) {
            if (entry.key == axis) entry.value = value_of_axis(entry.value, axis, setting, diagnostics);
        }
        return with_value(root, "axes", Node::map(std::move(entries), "axes", axes->location()));
    }
    const FieldRef* field = fields.resolve(setting.key);
    if (field == nullptr) {
        diagnostics.error(Node::scalar("", "", "--set").location(), setting.key,
                          fields.why_unresolved(setting.key));
        return root;
    }
    const std::string& path = field->info().path;
    // A derived value cannot be set, but points can be chosen by it.
    if (const Node::Entry* derived = derivation_of(root, setting.key, *field, fields)) {
        const Node wanted = Node::scalar(setting.value, path, "--set");
        if (field->info().type != config::FieldType::text) {
            if (!config::parse_value(wanted, field->info(), diagnostics)) return root;
        } else if (setting.value.find('\'') != std::string::npos) {
            diagnostics.error(wanted.location(), setting.key, "no derived name has quotes");
            return root;
        }
        return with_requirement(
            root, fmt::format("{} == {}", derived->key, literal(setting.value, field->info().type)));
    }
    if (const Node::Entry* joint = joint_axis_of(root, setting.key, *field, fields)) {
        const std::vector<const Node*> records = space::records_of(joint->value);
        diagnostics.error(
            Node::scalar("", "", "--set").location(), setting.key,
            fmt::format("'{}' is set by the records of the axis '{}': set that, such as '{}={}'", setting.key,
                        joint->key, joint->key, space::label_of(*records.front(), *records.front())));
    }
    return with_value(root, path, Node::scalar(setting.value, path, "--set"));
}

/// Target of a setting, however its key is written: the name of an axis, or the path of a field.
std::string target_of(const Node& root, const Setting& setting, const FieldIndex& fields) {
    std::string axis = axis_of(root, setting.key, fields);
    if (!axis.empty()) return axis;
    const FieldRef* field = fields.resolve(setting.key);
    return field != nullptr ? field->info().path : setting.key;
}

void check_set_once(const Node& root, const std::vector<Setting>& settings, const FieldIndex& fields,
                    config::Diagnostics& diagnostics) {
    std::map<std::string, const Setting*> first;
    for (const Setting& setting : settings) {
        const auto [place, is_first] = first.emplace(target_of(root, setting, fields), &setting);
        if (is_first) continue;
        const Setting& other = *place->second;
        diagnostics.error(Node::scalar("", "", "--set").location(), setting.key,
                          fmt::format("is set twice: {}={} and {}={}", config::excerpt(other.key),
                                      config::excerpt(other.value), config::excerpt(setting.key),
                                      config::excerpt(setting.value)));
    }
}

/// Devices of both pools together; 0 if there are none, or if one's are not stated.
std::int64_t devices_of_pools(const Node& system) {
    const Node* pools = system.find("pools");
    if (pools == nullptr || !pools->is_map()) return 0;
    std::int64_t sum = 0;
    for (const char* name : {"prefill", "decode"}) {
        const Node* pool = pools->find(name);
        const Node* devices = pool != nullptr && pool->is_map() ? pool->find("devices") : nullptr;
        if (devices == nullptr) return 0;
        config::Diagnostics ignored;  // reported when the pools are read
        const config::FieldInfo info{.path = devices->path(), .help = {}, .type = config::FieldType::integer};
        const auto number = config::parse_value(*devices, info, ignored);
        if (!number || *number < 1 || *number > most_devices) return 0;
        sum += static_cast<std::int64_t>(*number);
    }
    return sum;
}

/// A number of devices that `derive` states is not known before there are points. Until then it is that of
/// the pools, or one in which all stated ranks exist.
Node with_derived_devices(const Node& root) {
    constexpr const char* path = "system.devices";
    const Node* derive = root.find("derive");
    const Node* system = root.find("system");
    if (derive == nullptr || !derive->is_map() || system == nullptr || !system->is_map()) return root;
    if (system->find("devices") != nullptr) return root;
    const std::int64_t devices = devices_of_pools(*system);
    for (const char* key : {"devices", path}) {
        if (const Node* value = derive->find(key))
            return with_value(root, path,
                              Node::scalar(fmt::format("{}", devices > 0 ? devices : most_devices), path,
                                           value->location()));
    }
    return root;
}

/// The root with the first value of an axis where nothing is stated.
Node with_first_value(const Node& root, const std::string& key, const Node& value, const FieldIndex& fields) {
    const FieldRef* field = fields.resolve(key);
    if (field == nullptr || !value.is_scalar()) return root;
    const std::string& path = field->info().path;
    // Only direct fields of workload and system: deeper ones are determined by files of the library.
    if (std::count(path.begin(), path.end(), '.') != 1) return root;
    const std::string section_name = path.substr(0, path.find('.'));
    const Node* section = root.find(section_name);
    // All of a system may be what axes say.
    if (section == nullptr && section_name == "system") return with_value(root, path, value);
    if (section == nullptr || !section->is_map()) return root;
    const Node* said = section->find(path.substr(path.find('.') + 1));
    if (said == nullptr) return with_value(root, path, value);
    const bool lacks_file = field->info().sets_others && said->is_map() && said->find("base") == nullptr;
    return lacks_file ? with_value(root, path + ".base", value) : root;
}

}  // namespace

std::vector<Setting> named_from(const std::string& folder, std::vector<Setting> settings,
                                const FieldIndex& fields) {
    for (Setting& setting : settings) {
        const FieldRef* field = fields.resolve(setting.key);
        if (field != nullptr && (field->info().sets_others || field->info().path == "workload.model"))
            setting.value = config::path_from(folder, setting.value);
    }
    return settings;
}

Node with_settings(const Node& root, const std::vector<Setting>& settings, const FieldIndex& fields,
                   config::Diagnostics& diagnostics) {
    check_set_once(root, settings, fields, diagnostics);
    Node result = root;
    for (const Setting& setting : settings) result = with_setting(result, setting, fields, diagnostics);
    return result;
}

Node with_axis_values(const Node& root, const FieldIndex& fields) {
    Node result = with_derived_devices(root);
    const Node* axes = root.find("axes");
    if (axes == nullptr) return result;
    for (const Node::Entry& axis : axes->entries()) {
        if (const Node* value = first_value(axis.value))
            result = with_first_value(result, axis.key, *value, fields);
        // Of records only what a scenario cannot be read without.
        const std::vector<const Node*> records = space::records_of(axis.value);
        if (records.empty() || fields.resolve(axis.key) != nullptr) continue;
        for (const Node::Entry& entry : records.front()->entries()) {
            const FieldRef* field = fields.resolve(entry.key);
            if (field == nullptr) continue;
            const config::FieldInfo& info = field->info();
            if (info.type == config::FieldType::text || info.path == "system.devices")
                result = with_first_value(result, entry.key, entry.value, fields);
        }
    }
    return result;
}

Node with_an_axis(const Node& root) {
    const Node* system = root.find("system");
    const Node* devices = system == nullptr ? nullptr : system->find("devices");
    if (!root.is_map() || root.find("axes") != nullptr || devices == nullptr || !devices->is_scalar())
        return root;
    std::vector<Node::Entry> entries = root.entries();
    entries.push_back({"axes", devices->location(),
                       Node::map({{"devices", devices->location(), *devices}}, "axes", devices->location())});
    return Node::map(std::move(entries), root.path(), root.location());
}

std::vector<std::string> stated_fields(const Node& root, const FieldIndex& fields) {
    StatedFields stated(fields);
    for (const char* section : {"workload", "system", "fidelity"}) {
        if (const Node* node = root.find(section)) stated.add(*node, section, false);
    }
    return stated.in_order();
}

}  // namespace dse::study
