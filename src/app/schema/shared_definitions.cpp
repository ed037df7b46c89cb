#include "app/schema/shared_definitions.hpp"

#include <cctype>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace dse::app {
namespace {

/// Least length of a schema to share; a reference is not much shorter.
constexpr std::size_t least_shared = 60;

/// Calls visit(part, name) for the direct subschemas, with the name of the property that leads to each.
/// Source of the keys that contain subschemas: JSON Schema 2020-12, "Core", section 10.
template <class Schema, class Visit>
void each_part(Schema& schema, const std::string& name, const Visit& visit) {
    for (const char* key : {"properties", "$defs"}) {
        if (!schema.contains(key)) continue;
        for (auto& [property, part] : schema[key].items()) visit(part, property);
    }
    if (schema.contains("patternProperties")) {
        for (auto& part : schema["patternProperties"]) visit(part, name);
    }
    if (schema.contains("anyOf")) {
        for (auto& part : schema["anyOf"]) visit(part, name);
    }
    for (const char* key : {"items", "additionalProperties", "if", "then", "else"}) {
        if (schema.contains(key) && schema[key].is_object()) visit(schema[key], name);
    }
}

/// The schema without its description, so that schemas that differ only in it can be shared.
Json without_description(const Json& schema) {
    Json core = schema;
    core.erase("description");
    return core;
}

class Sharing {
  public:
    explicit Sharing(const Json& root) {
        if (root.contains("$defs")) definitions_ = root["$defs"];
        each_part(root, "", [&](const Json& part, const std::string& name) { count(part, name); });
    }

    Json shared(Json root) {
        each_part(root, "", [&](Json& part, const std::string&) { part = rewritten(part); });
        if (root.contains("$defs")) {
            for (const auto& [name, part] : root["$defs"].items()) definitions_[name] = part;
        }
        if (!definitions_.empty()) root["$defs"] = definitions_;
        return root;
    }

  private:
    struct Use {
        std::size_t count{0};
        std::string name;
        bool defined{false};
    };

    /// Counts uses of schemas. The parts of a shared schema count once, however often it is used.
    void count(const Json& schema, const std::string& name) {
        const Json core = without_description(schema);
        Use& use = uses_[core.dump()];
        if (use.count++ > 0) return;
        use.name = name;
        each_part(core, name, [&](const Json& part, const std::string& inner) { count(part, inner); });
    }

    Json rewritten(const Json& schema) {
        Json core = without_description(schema);
        const std::string text = core.dump();
        Use& use = uses_.at(text);
        Json result;
        if (use.count < 2 || text.size() < least_shared) {
            result = with_parts_rewritten(std::move(core));
        } else {
            if (!use.defined) define(use, std::move(core));
            result = Json{{"$ref", "#/$defs/" + use.name}};
        }
        if (schema.contains("description")) result["description"] = schema["description"];
        return result;
    }

    Json with_parts_rewritten(Json schema) {
        each_part(schema, "", [&](Json& part, const std::string&) { part = rewritten(part); });
        return schema;
    }

    void define(Use& use, Json core) {
        use.name = free_name(use.name);
        use.defined = true;
        definitions_[use.name] = nullptr;  // reserves its name, and its place before its parts
        Json definition = with_parts_rewritten(std::move(core));
        definitions_[use.name] = std::move(definition);
    }

    /// An unused name of letters, digits and underscores, which needs no escaping in a JSON pointer.
    [[nodiscard]] std::string free_name(std::string name) const {
        for (char& letter : name) {
            if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
        }
        std::string free = name;
        for (int number = 2; definitions_.contains(free); ++number) free = fmt::format("{}_{}", name, number);
        return free;
    }

    std::unordered_map<std::string, Use> uses_;
    Json definitions_ = Json::object();
};

}  // namespace

Json with_shared_definitions(Json schema) {
    Sharing sharing{schema};
    return sharing.shared(std::move(schema));
}

}  // namespace dse::app
