#include <string_view>

#include "ir/readers/mlir/meaning.hpp"

namespace dse::ir::mlir {

// `in_shardings=[<…>] out_shardings=[<…>] manual_axes={"x"}`
Attribute manual_computation(const Meaning& meaning) {
    ManualComputation result;
    const Statement& statement = meaning.statement;
    const auto shardings = [&](std::string_view key) {
        const std::string_view text = statement.value(key);
        return text.empty() ? std::vector<Sharding>{} : meaning.sdy.shardings(meaning.text.at(text));
    };
    result.in = shardings("in_shardings");
    result.out = shardings("out_shardings");
    const auto& stated = result.in.empty() ? result.out : result.in;
    if (!stated.empty()) result.mesh = stated.front().mesh;
    const std::string_view axes = statement.value("manual_axes");
    if (!axes.empty() && !stated.empty())
        result.manual_axes = meaning.sdy.axes(meaning.text.at(axes), result.mesh);
    return result;
}

// `sdy.reshard %x <@mesh, […]>`, `sdy.all_reduce {"x"} %y out_sharding=<@mesh, […]>`, or generic
Attribute resharding(const Meaning& meaning) {
    std::string_view text = meaning.statement.value("out_sharding", "sharding");
    if (text.empty()) text = meaning.statement.word('<');
    if (text.empty()) text = meaning.statement.word('#');
    if (text.empty()) meaning.text.refuse(meaning.statement.name, "it does not name a sharding");
    return Resharding{meaning.sdy.sharding(meaning.text.at(text))};
}

// `sdy.sharding_group %x group_id=7`
Attribute sharding_group(const Meaning& meaning) {
    return Index{meaning.integer("group_id", 0)};
}

// `sdy.propagation_barrier %x allowed_direction=FORWARD`, or a number: 1 forwards, 2 backwards, 3 both
Attribute propagation_barrier(const Meaning& meaning) {
    const std::string_view text = meaning.statement.value("allowed_direction");
    const auto says = [text](std::string_view word, char number) {
        return text.find(word) != std::string_view::npos || text.starts_with(number);
    };
    const bool both = says("BOTH", '3');
    return Barrier{both || says("FORWARD", '1'), both || says("BACKWARD", '2')};
}

}  // namespace dse::ir::mlir
