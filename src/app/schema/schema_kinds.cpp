#include "app/schema/schema_kinds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "app/schema/json_schema.hpp"
#include "app/schema/shared_definitions.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/explore/registry.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/sweep_spec.hpp"
#include "dse/study/scenario.hpp"

namespace dse::app {
namespace {

Json text_list() {
    return list_schema(text_schema());
}

Json map_of(Json values) {
    return Json{{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json object(Json properties, const std::vector<std::string>& required) {
    Json schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
}

/// A list of values, one value, a range, or any of these with a condition, as read by space/axis_yaml.hpp.
Json axis_schema() {
    const Json range = object({{"from", text_schema()},
                               {"to", text_schema()},
                               {"step", text_schema()},
                               {"count", {{"type", "integer"}, {"minimum", 1}}},
                               {"scale", {{"enum", {"linear", "log2", "log10", "log"}}}}},
                              {"from", "to"});
    const Json orders = object({{"permutations", text_list()}}, {"permutations"});
    const Json records = list_schema(map_of(text_schema()));
    Json values = any_of({text_schema(), list_schema(any_of({text_schema(), Json{{"type", "null"}}})), range,
                          orders, records});
    Json conditional = object({{"when", text_schema()}, {"values", values}}, {"when", "values"});
    return any_of({values, conditional});
}

Json search_schema(const config::Library& library) {
    Json schema = object_schema(config::outline_of<space::SearchSpec>("search"), Demand::nothing, library);
    std::vector<std::string> names = space::samplers().names();
    for (const auto& row : explore::searches().rows()) {
        if (std::find(names.begin(), names.end(), row.name) == names.end()) names.push_back(row.name);
    }
    const Json name{{"enum", names}};
    schema["properties"]["method"] = any_of({name, list_schema(name)});
    schema["properties"]["tolerance"] = text_schema();
    schema["properties"]["from"] = text_list();
    return schema;
}

Json objectives_schema() {
    Json properties = Json::object();
    for (const metrics::MetricField& field : metrics::metric_fields())
        properties[std::string{field.name}] = {{"enum", {"minimize", "maximize"}},
                                               {"description", field.description}};
    Json schema{{"type", "object"}, {"properties", std::move(properties)}};
    schema["additionalProperties"] = {{"enum", {"minimize", "maximize"}}};  // metrics that the sweep defines
    return schema;
}

/// As read by space/exec_spec_yaml.cpp.
Json exec_schema() {
    Json command = list_schema(text_schema());
    command["minItems"] = 1;
    command["description"] = "the program, then its arguments";
    Json schema = object({{"command", std::move(command)},
                          {"input", {{"enum", {"lines", "arguments"}}}},
                          {"metrics", map_of(text_schema())},
                          {"time_limit", text_schema()}},
                         {"command"});
    schema["description"] = "a program of your own that evaluates the points";
    return schema;
}

/// As read by study/read_sweep.cpp and space/sweep_spec_yaml.cpp. Required fields of workload and system may
/// be axes or derived values instead.
Json sweep_schema(const config::Library& library) {
    Json schema = object_schema(config::outline_of<study::Scenario>(), Demand::nothing, library);
    Json& keys = schema["properties"];
    const Json conditions = any_of({text_schema(), text_list()});
    keys["name"] = text_schema();
    keys["description"] = text_schema();
    keys["axes"] = map_of(axis_schema());
    keys["axes"]["minProperties"] = 1;
    keys["axes"]["description"] = "what is varied: any field, by the end of its path";
    keys["derive"] = any_of({map_of(text_schema()), Json{{"type", "null"}}});
    keys["derive"]["description"] = "values computed from others";
    keys["require"] = any_of({conditions, Json{{"type", "null"}}});
    keys["require"]["description"] = "conditions that define the space";
    keys["where"] = any_of({conditions, Json{{"type", "null"}}});
    keys["where"]["description"] = "conditions over metrics and axes";
    keys["metrics"] = any_of({map_of(text_schema()), Json{{"type", "null"}}});
    keys["metrics"]["description"] = "metrics computed from others";
    keys["uncertain"] =
        Json{{"type", "object"}, {"description", "fields that are known only as distributions"}};
    keys["exec"] = exec_schema();
    keys["confirm"] = keys["fidelity"];
    keys["confirm"]["description"] = "fidelity with which method screen evaluates promising points";
    keys["search"] = search_schema(library);
    keys["objectives"] = objectives_schema();
    schema["type"] = "object";
    schema["required"] = {"name"};
    return schema;
}

/// As read by frontend/model_file.cpp.
Json model_schema(const config::Library& library) {
    Json name = text_schema();
    name["examples"] = library.names("workloads/templates");
    Json size{{"anyOf",
               {{{"type", "integer"}, {"minimum", 1}},
                {{"type", "string"}, {"pattern", "^[0-9.]+([eE][0-9]+)?$"}}}}};
    Json use = map_of(any_of({text_schema(), map_of(text_schema())}));
    use["maxProperties"] = 1;
    use["minProperties"] = 1;
    Json once = list_schema(any_of({text_schema(), use}));
    once["minItems"] = 1;
    Json repeat = object(
        {{"repeat", object({{"times", text_schema()}, {"blocks", std::move(once)}}, {"times", "blocks"})}},
        {"repeat"});
    use["propertyNames"] = {{"not", {{"const", "repeat"}}}};
    Json blocks = list_schema(any_of({text_schema(), std::move(use), std::move(repeat)}));
    blocks["minItems"] = 1;
    Json properties{
        {"base", text_schema()}, {"name", text_schema()}, {"source", text_schema()}, {"template", name}};
    properties["symbols"] = map_of(std::move(size));
    properties["symbols"]["description"] = "the sizes that the template's symbols stand for";
    properties["blocks"] = std::move(blocks);
    properties["blocks"]["description"] = "the template's blocks in order, each with how often it appears";
    properties["draft_heads"] = {{"type", "integer"}, {"minimum", 0}, {"maximum", 64}};
    properties["draft_heads"]["description"] = "layers that draft tokens in inference (speculative: mtp)";
    properties["context"] = {
        {"type", "integer"}, {"minimum", 1}, {"maximum", static_cast<std::int64_t>(graph::most_tokens)}};
    properties["context"]["description"] = "tokens of the longest sequence of its published weights";
    Json schema = object(std::move(properties), {});
    schema["anyOf"] = {{{"required", {"base"}}}, {{"required", {"name", "template", "symbols", "blocks"}}}};
    return schema;
}

Json tensor_schema() {
    Json split{{"type", "object"},
               {"patternProperties", {{"^[0-9]+$", any_of({text_schema(), text_list()})}}}};
    split["additionalProperties"] = false;
    Json flag{{"type", "boolean"}};
    return object({{"shape", text_list()},
                   {"split", split},
                   {"storage", {{"enum", {"activation", "full", "index"}}}},
                   {"when", text_schema()},
                   {"tied", flag},
                   {"sparse", flag}},
                  {"shape"});
}

/// Lines, and groups of lines with a condition; groups may be nested.
Json operators_schema() {
    Json item = any_of({Json{{"type", "string"}}, Json{{"$ref", "#/$defs/group"}}});
    return list_schema(std::move(item));
}

/// As read by frontend/template/template_source.cpp.
Json template_schema(const config::Library& /*library*/) {
    Json block =
        object({{"symbols", text_list()},
                {"boundary", tensor_schema()},
                {"inputs", map_of(tensor_schema())},
                {"parameters", map_of(tensor_schema())},
                {"operators", operators_schema()},
                {"output", text_schema()},
                {"recompute", any_of({Json{{"type", "null"}}, object({{"selective", text_list()}}, {})})}},
               {"operators"});
    Json schema = object({{"name", text_schema()},
                          {"description", text_schema()},
                          {"symbols", text_list()},
                          {"boundary", tensor_schema()},
                          {"blocks", map_of(std::move(block))}},
                         {"boundary", "blocks"});
    schema["$defs"]["group"] = object({{"when", text_schema()}, {"operators", operators_schema()}}, {"when"});
    return schema;
}

Json cluster_schema(const config::Library& library) {
    return file_schema(config::outline_of<hardware::ClusterSpec>(), library);
}

Json device_schema(const config::Library& library) {
    return file_schema(config::outline_of<hardware::DeviceSpec>(), library);
}

Json stack_schema(const config::Library& library) {
    return file_schema(config::outline_of<graph::NamedStack>(), library);
}

}  // namespace

const std::vector<SchemaKind>& schema_kinds() {
    static const std::vector<SchemaKind> kinds{
        {"sweep", "a sweep: what is varied, on which workload and system, and the objectives", &sweep_schema},
        {"model", "a model: the sizes of a template's symbols (workloads/models)", &model_schema},
        {"template", "a template: the forward pass of a family of models (workloads/templates)",
         &template_schema},
        {"cluster", "a machine (hardware/clusters)", &cluster_schema},
        {"device", "an accelerator (hardware/devices)", &device_schema},
        {"stack", "properties of a software stack (workloads/stacks)", &stack_schema},
    };
    return kinds;
}

Json schema_of(const std::string& kind, const config::Library& library) {
    std::vector<std::string> names;
    for (const SchemaKind& known : schema_kinds()) {
        if (known.name == kind)
            return with_heading(known.name, known.description, with_shared_definitions(known.make(library)));
        names.push_back(known.name);
    }
    throw InputError(fmt::format("no kind of file is called '{}'{}", kind, suggestion(kind, names)));
}

}  // namespace dse::app
