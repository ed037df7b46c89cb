#include "dse/ir/readers/fx/read_fx.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "graph_reader.hpp"
#include "ir/readers/cursor.hpp"
#include "process_groups.hpp"
#include "schedule.hpp"
#include "step.hpp"
#include "trace_log.hpp"

namespace dse::ir {
namespace {

using fx::Graph;
using fx::GraphReader;

std::vector<Graph> graphs_in(const Source& source, ProgramBuilder& builder) {
    Cursor cursor{source};
    if (!fx::is_trace_log(source.text()))
        return GraphReader{cursor, builder}.graphs(GraphReader::Extent::file);
    std::vector<Graph> graphs;
    const auto records = fx::graphs_of(fx::read_trace_log(source));
    if (records.empty())
        source.refuse(0, "the log has no graph: neither AOTAutograd's nor Dynamo's nor an exported program");
    for (const fx::TraceRecord& record : records) {
        cursor.move_to(record.begin);
        for (Graph& graph : GraphReader{cursor, builder}.graphs(GraphReader::Extent::payload))
            graphs.push_back(std::move(graph));
    }
    return graphs;
}

bool is_schedule(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
}

}  // namespace

bool is_fx(std::string_view text) {
    constexpr std::size_t looked_at = std::size_t{1} << 16U;  // imports and comments before the first class
    return fx::is_trace_log(text) || is_schedule(text) ||
           text.substr(0, looked_at).find("(torch.nn.Module):") != std::string_view::npos;
}

Program read_fx(const Source& source) {
    Program program;
    program.name = source.name();
    program.language = Language::fx;
    if (is_schedule(source.text())) {
        fx::read_schedule(source, program);
        return program;
    }
    ProgramBuilder builder{program};
    const std::vector<Graph> graphs = graphs_in(source, builder);
    program.entry = graphs.size() == 1 ? graphs.front().computation : fx::join(graphs, builder);
    fx::apply(fx::read_process_groups(source), program, source);
    return program;
}

}  // namespace dse::ir
