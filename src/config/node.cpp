#include "dse/config/node.hpp"

#include <fmt/format.h>

#include "dse/config/source_text.hpp"

namespace dse::config {

const Node* Node::find(std::string_view key) const {
    for (const Entry& entry : entries_) {
        if (entry.key == key) return &entry.value;
    }
    return nullptr;
}

std::string Node::describe() const {
    switch (kind_) {
        case Kind::null:
            return "nothing";
        case Kind::scalar:
            return fmt::format("'{}'", excerpt(text_));
        case Kind::sequence:
            return fmt::format("a list of {}", items_.size());
        case Kind::map:
            return "a map";
    }
    return "nothing";
}

Node Node::scalar(std::string text, std::string path, const std::string& origin) {
    return scalar(std::move(text), std::move(path), Location{std::make_shared<const std::string>(origin)});
}

Node Node::scalar(std::string text, std::string path, const Location& where) {
    Node node;
    node.kind_ = Kind::scalar;
    node.text_ = std::move(text);
    node.path_ = std::move(path);
    node.location_ = where;
    return node;
}

Node Node::map(std::vector<Entry> entries, std::string path, const Location& where) {
    Node node;
    node.kind_ = Kind::map;
    node.entries_ = std::move(entries);
    node.path_ = std::move(path);
    node.location_ = where;
    return node;
}

}  // namespace dse::config
