#include "schedule.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "annotation.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "operators.hpp"

namespace dse::ir::fx {
namespace {

using Json = nlohmann::json;

Type type_of(const Json& output) {
    Type type;
    const auto element = torch_element_type(
        output.value("dtype", Json()).is_string() ? output["dtype"].get<std::string>() : std::string{});
    if (!element || !output.contains("shape") || !output["shape"].is_array()) {
        type.kind = Type::Kind::untyped;
        return type;
    }
    type.element = *element;
    for (const Json& size : output["shape"]) {
        const bool is_size = size.is_number_integer() && size.get<std::int64_t>() >= 0;
        type.sizes.push_back(is_size ? size.get<std::int64_t>() : unknown_size);
        type.dynamic = type.dynamic || !is_size;
    }
    return type;
}

/// "_c10d_functional.all_reduce_.default" for "torch.ops._c10d_functional.all_reduce_.default", as in lists.
std::string_view listed_name(std::string_view name) {
    constexpr std::string_view prefix = "torch.ops.";
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    return name;
}

}  // namespace

void read_schedule(const Source& source, Program& program) {
    const Json document = Json::parse(source.text(), nullptr, false);
    const Json& list = document.is_object() && document.contains("ops") ? document["ops"] : document;
    if (document.is_discarded()) source.refuse(0, "is not valid JSON (is it cut off?)");
    if (!list.is_array())
        source.refuse(0,
                      "expected a list of operators, {\"ops\": [operators]}, or a model's config.json, which "
                      "has a model_type");
    if (list.empty()) source.refuse(0, "the list of operators is empty: there is nothing to simulate");
    ProgramBuilder builder{program};
    Operators operators;
    const ComputationId entry = builder.computation("schedule", 1);
    for (const Json& item : list) {
        const Json& name = item.is_object() && item.contains("name") ? item["name"] : item;
        if (!name.is_string()) source.refuse(0, "an operator of the list has no name");
        std::vector<TypeId> types;
        if (item.is_object() && item.contains("outputs") && item["outputs"].is_array())
            for (const Json& output : item["outputs"])
                if (output.is_object()) types.push_back(program.types.add(type_of(output)));
        const auto& text = name.get_ref<const std::string&>();
        const Operator what = operators[text];
        AttributeId attribute = no_attribute;
        if (what.opcode == Opcode::unknown)
            attribute = builder.attribute(ForeignCall{builder.name(text), no_name});
        if (what.recipe == Recipe::communication || what.recipe == Recipe::broadcast)
            attribute = builder.attribute(Communication{});
        builder.append(entry, {.opcode = what.opcode,
                               .name = builder.name(listed_name(text)),
                               .results = types,
                               .attribute = attribute,
                               .line = 1});
    }
    program.entry = entry;
}

}  // namespace dse::ir::fx
