#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/config/library_struct.hpp"

namespace dse::config {

/// A visitor for `describe` that collects every field of a struct with its dotted path and a means to set it.
/// The struct must outlive the index and must not move.
class FieldIndex {
  public:
    FieldIndex() = default;
    /// With a library, structs that `describe` reads from it are fields as well: texts that name a file and
    /// thereby set the whole struct.
    /// \param library  must outlive the index
    explicit FieldIndex(const Library& library) : library_{&library} {}

    template <class Struct>
    void add(const std::string& root, Struct& target) {
        const std::string outer = prefix_;
        prefix_ = root;
        describe(*this, target);
        prefix_ = outer;
    }

    /// All fields, in the order of description.
    [[nodiscard]] const std::vector<FieldRef>& fields() const { return fields_; }

    /// The only field whose dotted path is `name` or ends with ".name"; nullptr if there is none, or several.
    [[nodiscard]] const FieldRef* resolve(std::string_view name) const;

    /// Why there is no such field: no path ends with the name (with the nearest one), or several do (all are
    /// named). Compares the name with all others, which takes a thousand times as long as resolve().
    [[nodiscard]] std::string why_unresolved(std::string_view name) const;

    /// Message about the current name of a field formerly called `name`; empty if there is none.
    [[nodiscard]] std::string new_name(std::string_view name) const;

    /// The field with exactly this dotted path; nullptr if there is none.
    [[nodiscard]] const FieldRef* find(std::string_view path) const;

    // Interface of the visitor.
    template <class T>
    void required(const char* name, T& target, Range range, const char* help) {
        FieldInfo info = detail::info_of<T>(path(name), help);
        info.range = range;
        if constexpr (std::is_same_v<T, std::string>) {
            fields_.emplace_back(
                std::move(info), [&target](const std::string& value) { target = value; },
                [&target] { return target; });
        } else {
            fields_.emplace_back(
                std::move(info), [&target](double value) { detail::store(target, value); },
                [&target] { return detail::load(target); });
        }
    }
    template <class T>
    void required(const char* name, T& target, const char* help) {
        required(name, target, Range{}, help);
    }
    template <class T>
    void optional(const char* name, T& target, Range range, const char* help) {
        required(name, target, range, help);
    }
    template <class T>
    void optional(const char* name, T& target, const char* help) {
        required(name, target, help);
    }
    void renamed(const char* old_name, const char* name, const char* meaning) {
        renamed_.push_back({path(old_name), renaming(old_name, name, meaning)});
    }
    template <class Struct>
    void section(const char* name, Struct& target, const char* /*help*/) {
        add(path(name), target);
    }
    template <class Struct>
    void optional_section(const char* name, Struct& target, const char* help) {
        section(name, target, help);
    }
    /// Fields of all items that the list can hold, regardless of its current size: "dimensions.0.bandwidth".
    template <class List>
    void optional_list(const char* name, List& target, const char* /*help*/) {
        for (std::size_t i = 0; i < List::capacity; ++i) {
            add(path(name) + "." + std::to_string(i), target[i]);
        }
    }
    /// Records are data and have no fields.
    template <class Struct>
    void records(const char* /*name*/, std::vector<Struct>& /*target*/, const char* /*help*/) {}
    template <class Struct>
    void from_library(const char* name, Struct& target, const char* folder, const char* help) {
        if (library_ != nullptr) add_library_field(name, target, folder, help, [] {});
        section(name, target, help);
    }
    template <class Struct>
    void optional_from_library(const char* name, Struct& target, const char* /*folder*/, const char* help) {
        section(name, target, help);
    }
    template <class Struct, class Apply>
    void preset(const char* name, Struct& target, const char* folder, const char* help, Apply&& apply) {
        if (library_ != nullptr) add_library_field(name, target, folder, help, std::forward<Apply>(apply));
    }
    static const Node* take(const char* /*name*/) { return nullptr; }

  private:
    [[nodiscard]] std::string path(const char* name) const {
        return prefix_.empty() ? name : prefix_ + "." + name;
    }

    template <class Struct, class Apply>
    void add_library_field(const char* name, Struct& target, const char* folder, const char* help,
                           Apply apply) {
        FieldInfo info{path(name), help, FieldType::text, {}, library_->names(folder), true};
        // Every file is read only once, however often an axis returns to it.
        auto loaded = std::make_shared<std::map<std::string, Struct, std::less<>>>();
        const auto assign = [&target, loaded, library = library_, folder, where = info.path,
                             apply](const std::string& value) {
            auto found = loaded->find(value);
            if (found == loaded->end()) {
                found =
                    loaded->emplace(value, read_from_library<Struct>(*library, folder, value, where)).first;
            }
            target = found->second;
            apply();
        };
        fields_.emplace_back(std::move(info), assign, [&target] { return target.name; });
    }

    /// Former name of a field.
    struct OldName {
        std::string path;
        std::string reason;
    };

    const Library* library_{nullptr};
    std::string prefix_;
    std::vector<FieldRef> fields_;
    std::vector<OldName> renamed_;
};

}  // namespace dse::config
