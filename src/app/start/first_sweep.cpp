#include "app/start/first_sweep.hpp"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "app/start/model_facts.hpp"
#include "app/start/serving_sweep.hpp"
#include "app/start/training_sweep.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {
namespace {

/// Aligns the comments after values, on lines that are short enough.
std::string aligned(const std::string& text) {
    constexpr std::size_t column = 38;
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string_view line = std::string_view{text}.substr(begin, end - begin);
        const std::size_t comment = line.find("  # ");
        const std::size_t gap = comment < column ? column - comment - 2 : 0;
        result += comment == std::string_view::npos
                      ? line
                      : fmt::format("{}{:{}}{}", line.substr(0, comment), "", gap, line.substr(comment));
        begin = end;
    }
    return result;
}

}  // namespace

std::string name_of(const FirstSweep& sweep) {
    if (!sweep.name.empty()) return sweep.name;
    const std::string model = std::filesystem::path{sweep.model}.filename().string();
    const std::string stem = model.ends_with(".yaml") ? model.substr(0, model.size() - 5) : model;
    return stem + (sweep.goal == Goal::training ? "_training" : "_serving");
}

std::string first_sweep_text(const FirstSweep& sweep, const config::Library& library) {
    const ModelFacts model = model_facts(library, sweep.model);
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(library, "hardware/clusters",
                                                                          sweep.cluster, "--cluster");
    return aligned(sweep.goal == Goal::training ? training_sweep(sweep, model, cluster)
                                                : serving_sweep(sweep, model, cluster));
}

}  // namespace dse::app
