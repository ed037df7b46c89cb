#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/config/library.hpp"
#include "dse/config/record_table.hpp"

namespace dse::config {

/// A visitor for `describe` that fills a struct from a YAML map. All errors go to the diagnostics: missing
/// keys, unknown keys (with the nearest known one), wrong types and units. A value may be written plainly or
/// as {value: …, source: …}, since data files keep the source beside the number.
class Reader {
  public:
    /// \param map  must outlive this object; a null node counts as a map without keys
    /// \param library  where names of other files are looked up; may be nullptr if there are none
    Reader(const Node& map, const Library* library, Diagnostics& diagnostics);

    template <class T>
    void required(const char* name, T& target, Range range, const char* help) {
        if (const Node* node = take(name)) {
            read(*node, target, range, help);
        } else {
            missing(name);
        }
    }
    template <class T>
    void required(const char* name, T& target, const char* help) {
        required(name, target, Range{}, help);
    }

    template <class T>
    void optional(const char* name, T& target, Range range, const char* help) {
        if (const Node* node = take(name)) read(*node, target, range, help);
    }
    template <class T>
    void optional(const char* name, T& target, const char* help) {
        optional(name, target, Range{}, help);
    }

    /// A former key: an error that names its successor.
    void renamed(const char* old_name, const char* name, const char* meaning);

    /// A nested struct under a key of its own. If it is absent, its required fields are reported as missing.
    template <class Struct>
    void section(const char* name, Struct& target, const char* /*help*/) {
        if (const Node* node = take(name)) {
            read_section(*node, target);
        } else if (knows_its_keys()) {
            read_section(empty_map(name), target);
        }
    }

    /// A nested struct that keeps its defaults if it is absent.
    template <class Struct>
    void optional_section(const char* name, Struct& target, const char* /*help*/) {
        if (const Node* node = take(name)) read_section(*node, target);
    }

    /// An optional list of structs, written as a list or as a map from indices to all items, which results
    /// from overriding single items.
    /// \tparam List  has resize(n), operator[], and the maximum size `capacity`
    template <class List>
    void optional_list(const char* name, List& target, const char* /*help*/) {
        const Node* node = take(name);
        if (node == nullptr) return;
        const std::vector<const Node*> items = items_of(*node, List::capacity);
        target.resize(items.size());
        for (std::size_t i = 0; i < items.size(); ++i) read_section(*items[i], target[i]);
    }

    /// An optional list of structs, written as a list or as a table (see record_table.hpp). Its items are
    /// data and cannot be set by axes.
    static constexpr std::size_t most_records = 1'000'000;
    template <class Struct>
    void records(const char* name, std::vector<Struct>& target, const char* /*help*/) {
        const Node* node = take(name);
        if (node == nullptr) return;
        target.clear();
        if (is_record_table(*node)) {
            for (const Node& record : record_table(*node, *diagnostics_))
                read_section(record, target.emplace_back());
        } else {
            for (const Node* item : items_of(*node, most_records)) read_section(*item, target.emplace_back());
        }
    }

    /// A nested struct from a file of the library: the value is the name of the file ("h100_ndr400"), an
    /// inline map, or a map with `base: name` and the fields that differ.
    template <class Struct>
    void from_library(const char* name, Struct& target, const char* folder, const char* /*help*/) {
        const Node* node = take(name);
        if (node == nullptr) {
            missing(name);
        } else {
            read_file(*node, target, folder);
        }
    }

    /// The same for a struct that keeps its defaults if it is absent. Axes can set its fields, but not its
    /// name.
    template <class Struct>
    void optional_from_library(const char* name, Struct& target, const char* folder, const char* /*help*/) {
        const Node* node = take(name);
        if (node != nullptr) read_file(*node, target, folder);
    }

    /// Defaults from a file of the library for fields described after it; `apply` sets them.
    template <class Struct, class Apply>
    void preset(const char* name, Struct& target, const char* folder, const char* /*help*/, Apply&& apply) {
        const Node* node = take(name);
        if (node != nullptr && read_file(*node, target, folder)) apply();
    }

    /// The raw node of a key that `describe` cannot express; nullptr if absent. The key counts as known.
    const Node* take(const char* name);

    [[nodiscard]] const Node& node() const { return *map_; }
    [[nodiscard]] const Library* library() const { return library_; }
    [[nodiscard]] Diagnostics& diagnostics() const { return *diagnostics_; }

    /// Reports unknown keys.
    void finish();

  private:
    /// False if the input could not be read or is not a map. That has been reported already, and reporting
    /// missing keys would only be noise.
    [[nodiscard]] bool knows_its_keys() const;
    [[nodiscard]] Node empty_map(const char* name) const;
    void missing(const char* name);
    /// The items of a list; none, with a report, if the node is not a list or is too long.
    [[nodiscard]] std::vector<const Node*> items_of(const Node& node, std::size_t longest);
    const Node& unwrap(const Node& node);
    void read_text(const Node& node, std::string& target);
    [[nodiscard]] std::optional<Node> resolve(const Node& node, const char* folder);

    template <class T>
    void read(const Node& outer, T& target, Range range, const char* help) {
        const Node& node = unwrap(outer);
        if constexpr (std::is_same_v<T, std::string>) {
            read_text(node, target);
        } else {
            FieldInfo info = detail::info_of<T>(node.path(), help);
            info.range = range;
            if (const auto value = parse_value(node, info, *diagnostics_)) detail::store(target, *value);
        }
    }
    template <class Struct>
    void read_section(const Node& node, Struct& target) {
        Reader inner(node, library_, *diagnostics_);
        describe(inner, target);
        inner.finish();
    }

    /// \return whether there was anything to read
    template <class Struct>
    bool read_file(const Node& node, Struct& target, const char* folder) {
        const std::size_t before = diagnostics_->error_count();
        const auto fields = resolve(node, folder);
        if (fields) read_section(*fields, target);
        if (diagnostics_->error_count() > before) diagnostics_->incomplete(node.path());
        return fields.has_value();
    }

    const Node* map_;
    const Library* library_;
    Diagnostics* diagnostics_;
    std::vector<std::string> known_;
};

/// Reads a whole struct from a map node.
template <class Struct>
void read_struct(const Node& node, Struct& target, const Library* library, Diagnostics& diagnostics) {
    Reader reader(node, library, diagnostics);
    describe(reader, target);
    reader.finish();
}

}  // namespace dse::config
