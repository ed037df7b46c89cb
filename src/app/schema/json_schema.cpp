#include "app/schema/json_schema.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::app {
namespace {

using config::FieldInfo;
using config::FieldType;
using config::Outline;

void add_range(Json& schema, const FieldInfo& info) {
    const config::Range& range = info.range;
    if (range.least > -config::Range::unlimited)
        schema[range.above_least ? "exclusiveMinimum" : "minimum"] = range.least;
    if (range.most < config::Range::unlimited) schema["maximum"] = range.most;
}

/// "1e3" and "16.0" are integers here, but text for some YAML parsers.
Json number_schema(const FieldInfo& info) {
    Json number{{"type", "number"}};
    if (info.type == FieldType::integer) number["multipleOf"] = 1;
    add_range(number, info);
    return any_of({number, Json{{"type", "string"}, {"pattern", "^-?[0-9.]+([eE][-+]?[0-9]+)?$"}}});
}

/// YAML reads names that look like numbers or flags as such, so both forms are allowed.
Json choice_schema(const std::vector<std::string>& names) {
    Json values = Json::array();
    for (const std::string& name : names) {
        values.push_back(name);
        if (name == "on" || name == "yes" || name == "true") values.push_back(true);
        if (name == "off" || name == "no" || name == "false") values.push_back(false);
        if (name == "none" || name == "null") values.push_back(nullptr);
    }
    return Json{{"enum", values}};
}

/// "400 Gbps". A number without a unit is allowed only if the quantity is dimensionless.
Json quantity_schema(const FieldInfo& info) {
    const std::string unit = config::unit_of(info.dimension);
    Json text{{"type", "string"}, {"pattern", "^\\s*-?[0-9][0-9.]*([eE][-+]?[0-9]+)?\\s*[A-Za-z1%/].*$"}};
    text["description"] = fmt::format("with its unit; [{}]", unit);
    if (unit != "1") return text;
    return any_of({Json{{"type", "number"}}, Json{{"type", "string"}}});
}

Json value_schema(const FieldInfo& info) {
    switch (info.type) {
        case FieldType::integer:
        case FieldType::number:
            return number_schema(info);
        case FieldType::quantity:
            return quantity_schema(info);
        case FieldType::flag:
            return any_of({Json{{"type", "boolean"}}, Json{{"enum", {"yes", "no", "on", "off"}}}});
        case FieldType::choice:
            return choice_schema(info.choices);
        case FieldType::text:
            break;
    }
    return text_schema();
}

std::string help_of(const Outline& outline) {
    if (outline.kind != Outline::Kind::field) return outline.help;
    std::string text = outline.help;
    if (const std::string range = config::format_range(outline.info); !range.empty()) text += ", " + range;
    if (!outline.standard.empty()) text += " (default: " + outline.standard + ")";
    return text;
}

/// A plain value, or a value with its source.
Json field_schema(const Outline& outline) {
    const Json value = value_schema(outline.info);
    Json sourced{{"type", "object"},
                 {"properties", {{"value", value}, {"source", text_schema()}, {"note", text_schema()}}}};
    sourced["required"] = {"value"};
    sourced["additionalProperties"] = false;
    return any_of({value, sourced});
}

Json library_schema(const Outline& outline, Demand demand, const config::Library& library) {
    Json name = text_schema();
    name["examples"] = library.names(outline.folder);
    Json content = demand == Demand::all ? file_schema(outline.members, library)
                                         : object_schema(outline.members, Demand::nothing, library);
    if (demand == Demand::nothing) content["properties"]["base"] = text_schema();
    return any_of({std::move(name), std::move(content)});
}

Json list_or_numbered(const Outline& outline, Demand demand, const config::Library& library) {
    Json item = object_schema(outline.members, demand, library);
    Json partial = object_schema(outline.members, Demand::nothing, library);
    Json numbered{{"type", "object"}, {"patternProperties", {{"^[0-9]+$", std::move(partial)}}}};
    numbered["additionalProperties"] = false;
    return any_of({list_schema(std::move(item)), std::move(numbered)});
}

Json member_schema(const Outline& outline, Demand demand, const config::Library& library) {
    Json schema;
    switch (outline.kind) {
        case Outline::Kind::field:
            schema = field_schema(outline);
            break;
        case Outline::Kind::section:
            schema = object_schema(outline.members, demand, library);
            break;
        case Outline::Kind::list:
            schema = list_or_numbered(outline, demand, library);
            break;
        case Outline::Kind::records:
            schema = list_schema(object_schema(outline.members, Demand::all, library));
            break;
        case Outline::Kind::library:
            schema = library_schema(outline, demand, library);
            break;
    }
    if (const std::string help = help_of(outline); !help.empty()) schema["description"] = help;
    return schema;
}

/// A section is required only if one of its members is.
bool is_demanded(const Outline& outline) {
    if (!outline.required || outline.kind != Outline::Kind::section) return outline.required;
    return std::any_of(outline.members.begin(), outline.members.end(), is_demanded);
}

}  // namespace

Json any_of(std::vector<Json> schemas) {
    Json list = Json::array();
    for (Json& schema : schemas) list.push_back(std::move(schema));
    return Json{{"anyOf", std::move(list)}};
}

Json list_schema(Json items) {
    return Json{{"type", "array"}, {"items", std::move(items)}};
}

Json text_schema() {
    return Json{{"type", {"string", "number", "boolean"}}};
}

Json object_schema(const std::vector<Outline>& members, Demand demand, const config::Library& library) {
    Json schema{{"type", {"object", "null"}}};
    Json& properties = schema["properties"] = Json::object();
    Json required = Json::array();
    for (const Outline& member : members) {
        properties[member.name] = member_schema(member, demand, library);
        if (demand == Demand::all && is_demanded(member)) required.push_back(member.name);
    }
    if (!required.empty()) {
        schema["type"] = "object";
        schema["required"] = std::move(required);
    }
    schema["additionalProperties"] = false;
    return schema;
}

Json file_schema(const std::vector<Outline>& members, const config::Library& library) {
    Json based = object_schema(members, Demand::nothing, library);
    based["properties"]["base"] = text_schema();
    Json schema{{"if", {{"type", "object"}, {"required", {"base"}}}}};
    schema["then"] = std::move(based);
    schema["else"] = object_schema(members, Demand::all, library);
    return schema;
}

Json with_heading(const std::string& kind, const std::string& description, Json schema) {
    Json result{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
    result["title"] = "dse " + kind;
    result["description"] = description;
    for (auto& [key, value] : schema.items()) result[key] = std::move(value);
    return result;
}

}  // namespace dse::app
