#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dse::trace::msccl {

/// An element of an XML document. Text between elements is not kept.
struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<XmlElement> children;
    std::size_t line{0};  ///< from 1, where it begins

    [[nodiscard]] std::optional<std::string_view> attribute(std::string_view name) const;
};

/// Reads a document: elements with attributes; comments and declarations are skipped. There are no entities
/// but the five predefined ones, and no namespaces.
/// \param path  for messages
/// \return the root
/// \throws InputError with the line of what is wrong
XmlElement read_xml(std::string_view text, const std::string& path);

}  // namespace dse::trace::msccl
