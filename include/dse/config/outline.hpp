#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dse/config/field.hpp"

namespace dse::config {

/// What a file may contain at one key, as declared by `describe`. \see Outliner
struct Outline {
    enum class Kind : std::uint8_t {
        field,    ///< one value
        section,  ///< a map with these members
        list,     ///< a list of maps, or a map from their indices to them
        records,  ///< a list of maps that are data
        library,  ///< the name of a file, or its content inline
    };
    std::string name;  ///< the key; empty at the root
    std::string help{};
    Kind kind{Kind::section};
    bool required{false};
    FieldInfo info{};                ///< for a field; its path is dotted, from the root
    std::string standard{};          ///< for an optional field: its default value, for display
    std::string folder{};            ///< for a library: the folder of its files
    std::vector<Outline> members{};  ///< for a section or library; for one item of a list
};

/// A visitor for `describe` that collects the declarations, for schemas, references and lists.
class Outliner {
  public:
    /// \param prefix  dotted path of the struct
    explicit Outliner(std::string prefix = "") : prefix_{std::move(prefix)} {}

    [[nodiscard]] std::vector<Outline> take() { return std::move(members_); }

    template <class T>
    void required(const char* name, T& target, Range range, const char* help) {
        add_field(name, target, range, help).required = true;
    }
    template <class T>
    void required(const char* name, T& target, const char* help) {
        required(name, target, Range{}, help);
    }
    template <class T>
    void optional(const char* name, T& target, Range range, const char* help) {
        Outline& field = add_field(name, target, range, help);
        if constexpr (std::is_same_v<T, std::string>) {
            field.standard = target;
        } else {
            field.standard = format_value(detail::load(target), field.info);
        }
    }
    template <class T>
    void optional(const char* name, T& target, const char* help) {
        optional(name, target, Range{}, help);
    }
    static void renamed(const char* /*old_name*/, const char* /*name*/, const char* /*meaning*/) {}
    template <class Struct>
    void section(const char* name, Struct& target, const char* help) {
        add(name, help, Outline::Kind::section, target).required = true;
    }
    template <class Struct>
    void optional_section(const char* name, Struct& target, const char* help) {
        add(name, help, Outline::Kind::section, target);
    }
    template <class List>
    void optional_list(const char* name, List& target, const char* help) {
        add(name, help, Outline::Kind::list, target[0]);
    }
    template <class Struct>
    void records(const char* name, std::vector<Struct>& /*target*/, const char* help) {
        Struct item{};
        add(name, help, Outline::Kind::records, item);
    }
    template <class Struct>
    void from_library(const char* name, Struct& target, const char* folder, const char* help) {
        Outline& outline = add(name, help, Outline::Kind::library, target);
        outline.required = true;
        outline.folder = folder;
    }
    template <class Struct>
    void optional_from_library(const char* name, Struct& target, const char* folder, const char* help) {
        add(name, help, Outline::Kind::library, target).folder = folder;
    }
    template <class Struct, class Apply>
    void preset(const char* name, Struct& target, const char* folder, const char* help, Apply&& /*apply*/) {
        add(name, help, Outline::Kind::library, target).folder = folder;
    }
    static const Node* take(const char* /*name*/) { return nullptr; }

  private:
    [[nodiscard]] std::string path(const char* name) const {
        return prefix_.empty() ? name : prefix_ + "." + name;
    }

    template <class T>
    Outline& add_field(const char* name, T& /*target*/, Range range, const char* help) {
        Outline outline{.name = name, .help = help, .kind = Outline::Kind::field};
        outline.info = detail::info_of<T>(path(name), help);
        outline.info.range = range;
        members_.push_back(std::move(outline));
        return members_.back();
    }

    template <class Struct>
    Outline& add(const char* name, const char* help, Outline::Kind kind, Struct& target) {
        Outliner inner{path(name)};
        describe(inner, target);
        Outline outline{.name = name, .help = help, .kind = kind};
        outline.members = inner.take();
        members_.push_back(std::move(outline));
        return members_.back();
    }

    std::string prefix_;
    std::vector<Outline> members_;
};

/// What a file that is read into a struct may contain.
template <class Struct>
std::vector<Outline> outline_of(const std::string& prefix = "") {
    Outliner outliner{prefix};
    Struct target{};
    describe(outliner, target);
    return outliner.take();
}

}  // namespace dse::config
