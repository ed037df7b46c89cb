#include "attribute_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "convolution_reader.hpp"
#include "device_lists.hpp"
#include "dse/base/nearest.hpp"

namespace dse::ir::hlo {
namespace {

template <class T>
T one_of(Scanner& scanner, std::string_view what,
         std::initializer_list<std::pair<std::string_view, T>> known) {
    scanner.skip();
    const std::size_t begin = scanner.position();
    const std::string_view word = scanner.word();
    std::vector<std::string> names;
    for (const auto& [name, value] : known) {
        if (word == name) return value;
        names.emplace_back(name);
    }
    scanner.refuse(begin, fmt::format("unknown {} '{}'{}", what, word, suggestion(word, names)));
}

/// Unescapes a text up to its closing quote.
std::string without_escapes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        result += text[i];
    }
    return result;
}

}  // namespace

void AttributeReader::read(InstructionDraft& draft) {
    while (scanner_.accept(',')) {
        const std::string_view name = scanner_.word();
        if (name.empty()) scanner_.refuse_expected("an attribute");
        scanner_.expect('=');
        if (const Handler found = handler(name); found != nullptr)
            (this->*found)(draft);
        else
            (void)scanner_.value();
    }
}

AttributeReader::Handler AttributeReader::handler(std::string_view name) {
    using Self = AttributeReader;
    using Dot = DotDimensions;
    using Gather = GatherDimensions;
    using Scatter = ScatterDimensions;
    static const std::unordered_map<std::string_view, Handler> handlers{
        {"dimensions", &Self::dimensions},
        {"iota_dimension", &Self::dimensions},
        {"lhs_batch_dims", &Self::sizes<Dot, &Dot::lhs_batch>},
        {"rhs_batch_dims", &Self::sizes<Dot, &Dot::rhs_batch>},
        {"lhs_contracting_dims", &Self::sizes<Dot, &Dot::lhs_contracting>},
        {"rhs_contracting_dims", &Self::sizes<Dot, &Dot::rhs_contracting>},
        {"window", &Self::window},
        {"dim_labels", &Self::dimension_labels},
        {"feature_group_count", &Self::group_count<&ConvolutionDimensions::feature_groups>},
        {"batch_group_count", &Self::group_count<&ConvolutionDimensions::batch_groups>},
        {"slice", &Self::slice},
        {"padding", &Self::padding},
        {"dynamic_slice_sizes", &Self::slice_sizes},
        {"slice_sizes", &Self::slice_sizes},
        {"offset_dims", &Self::sizes<Gather, &Gather::offset>},
        {"collapsed_slice_dims", &Self::sizes<Gather, &Gather::collapsed>},
        {"operand_batching_dims", &Self::sizes<Gather, &Gather::operand_batching>},
        {"start_indices_batching_dims", &Self::sizes<Gather, &Gather::indices_batching>},
        {"start_index_map", &Self::sizes<Gather, &Gather::start_index_map>},
        {"index_vector_dim", &Self::index},
        {"update_window_dims", &Self::sizes<Scatter, &Scatter::update_window>},
        {"inserted_window_dims", &Self::sizes<Scatter, &Scatter::inserted_window>},
        {"input_batching_dims", &Self::sizes<Scatter, &Scatter::input_batching>},
        {"scatter_indices_batching_dims", &Self::sizes<Scatter, &Scatter::indices_batching>},
        {"scatter_dims_to_operand_dims", &Self::sizes<Scatter, &Scatter::scatter_to_operand>},
        {"direction", &Self::direction},
        {"index", &Self::index},
        {"kind", &Self::fusion_kind},
        {"replica_groups", &Self::groups},
        {"source_target_pairs", &Self::pairs},
        {"channel_id", &Self::channel},
        {"use_global_device_ids", &Self::global_ids},
        {"fft_length", &Self::fft_length},
        {"custom_call_target", &Self::target},
        {"operand_precision", &Self::precision},
        {"algorithm", &Self::precision},
        {"metadata", &Self::metadata},
        {"backend_config", &Self::backend_config},
        {"literal", &Self::literal},
        {"frontend_attributes", &Self::frontend_attributes},
        {"is_composite", &Self::composite},
        {"sharding", &Self::sharding},
        {"condition", &Self::first_called},
        {"body", &Self::last_called},
        {"select", &Self::first_called},
        {"scatter", &Self::last_called},
        {"true_computation", &Self::first_called},
        {"false_computation", &Self::last_called},
        {"to_apply", &Self::last_called},
        {"calls", &Self::all_called},
        {"called_computations", &Self::all_called},
        {"branch_computations", &Self::all_called},
    };
    const auto found = handlers.find(name);
    return found == handlers.end() ? nullptr : found->second;
}

template <class T, auto Member>
void AttributeReader::sizes(InstructionDraft& draft) {
    Sizes read = scanner_.sizes();
    if (auto* attribute = std::get_if<T>(&draft.attribute)) attribute->*Member = std::move(read);
}

template <class T, auto Member>
void AttributeReader::number(InstructionDraft& draft) {
    const std::int64_t read = scanner_.integer();
    if (auto* attribute = std::get_if<T>(&draft.attribute)) attribute->*Member = read;
}

template <auto Member>
void AttributeReader::group_count(InstructionDraft& draft) {
    const std::int64_t count = scanner_.integer();
    if (count <= 0) scanner_.refuse("the number of groups must be at least 1");
    if (ConvolutionDimensions* convolution = convolution_of(draft)) convolution->*Member = count;
}

void AttributeReader::dimensions(InstructionDraft& draft) {
    Sizes read = scanner_.peek() == '{' ? scanner_.sizes() : Sizes{scanner_.integer()};
    if (auto* dimensions = std::get_if<Dimensions>(&draft.attribute))
        dimensions->numbers = std::move(read);
    else if (auto* communication = std::get_if<Communication>(&draft.attribute);
             communication && !read.empty())
        communication->dimension = communication->concat_dimension = read[0];
}

void AttributeReader::window(InstructionDraft& draft) {
    std::vector<WindowDimension> read = read_window(scanner_);
    if (auto* window = std::get_if<Window>(&draft.attribute))
        window->dimensions = std::move(read);
    else if (ConvolutionDimensions* convolution = convolution_of(draft))
        convolution->window = std::move(read);
}

void AttributeReader::dimension_labels(InstructionDraft& draft) {
    ConvolutionDimensions scratch;
    ConvolutionDimensions* convolution = convolution_of(draft);
    read_dimension_labels(scanner_, convolution == nullptr ? scratch : *convolution);
}

void AttributeReader::slice(InstructionDraft& draft) {
    SliceRanges read = read_slice(scanner_);
    if (auto* slice = std::get_if<SliceRanges>(&draft.attribute)) *slice = std::move(read);
}

void AttributeReader::padding(InstructionDraft& draft) {
    PadSizes read = read_padding(scanner_);
    if (auto* pad = std::get_if<PadSizes>(&draft.attribute)) *pad = std::move(read);
}

void AttributeReader::slice_sizes(InstructionDraft& draft) {
    if (auto* slice = std::get_if<SliceSizes>(&draft.attribute))
        slice->sizes = scanner_.sizes();
    else if (auto* gather = std::get_if<GatherDimensions>(&draft.attribute))
        gather->slice_sizes = scanner_.sizes();
    else
        (void)scanner_.value();
}

void AttributeReader::direction(InstructionDraft& draft) {
    using Direction = ComparisonDirection;
    auto* comparison = std::get_if<Comparison>(&draft.attribute);
    if (comparison == nullptr) return (void)scanner_.value();
    comparison->direction = one_of<Direction>(scanner_, "direction",
                                              {{"EQ", Direction::equal},
                                               {"NE", Direction::not_equal},
                                               {"LT", Direction::less},
                                               {"LE", Direction::less_equal},
                                               {"GT", Direction::greater},
                                               {"GE", Direction::greater_equal}});
}

void AttributeReader::index(InstructionDraft& draft) {
    const std::int64_t number = scanner_.integer();
    if (auto* index = std::get_if<Index>(&draft.attribute)) index->number = number;
    if (auto* gather = std::get_if<GatherDimensions>(&draft.attribute)) gather->index_vector = number;
    if (auto* scatter = std::get_if<ScatterDimensions>(&draft.attribute)) scatter->index_vector = number;
}

void AttributeReader::fusion_kind(InstructionDraft& draft) {
    auto* fusion = std::get_if<Fusion>(&draft.attribute);
    if (fusion == nullptr) return (void)scanner_.value();
    fusion->kind = one_of<FusionKind>(scanner_, "kind of fusion",
                                      {{"kLoop", FusionKind::loop},
                                       {"kInput", FusionKind::input},
                                       {"kOutput", FusionKind::output},
                                       {"kCustom", FusionKind::custom}});
}

void AttributeReader::groups(InstructionDraft& draft) {
    DeviceGroups read = read_device_groups(scanner_);
    if (auto* communication = std::get_if<Communication>(&draft.attribute))
        communication->groups = std::move(read);
}

void AttributeReader::pairs(InstructionDraft& draft) {
    auto read = read_device_pairs(scanner_);
    if (auto* communication = std::get_if<Communication>(&draft.attribute))
        communication->pairs = std::move(read);
}

void AttributeReader::channel(InstructionDraft& draft) {
    number<Communication, &Communication::channel>(draft);
}

void AttributeReader::global_ids(InstructionDraft& draft) {
    draft.global_ids = scanner_.word() == "true";
}

void AttributeReader::fft_length(InstructionDraft& draft) {
    sizes<FftLengths, &FftLengths::lengths>(draft);
}

void AttributeReader::target(InstructionDraft& draft) {
    const std::string_view read = scanner_.quoted();
    if (auto* call = std::get_if<ForeignCall>(&draft.attribute)) call->target = builder_.name(read);
}

void AttributeReader::backend_config(InstructionDraft& draft) {
    draft.backend_config = scanner_.value();
}

/// The value of a custom call: `s32[2]{0} {1, 2}`, `f32[] 0.1`, `(s32[2]{0} {1, 2}, pred[] true)`.
void AttributeReader::literal(InstructionDraft&) {
    if (scanner_.peek() != '(') {
        (void)scanner_.word();
        (void)scanner_.enclosed();
        if (scanner_.adjacent() == '{') (void)scanner_.enclosed();
    }
    (void)scanner_.value();
}

/// `operand_precision={high,default}`, `algorithm=dot_tf32_tf32_f32`: the higher of the two counts.
void AttributeReader::precision(InstructionDraft& draft) {
    const std::string_view text = scanner_.value();
    const ProductPrecision read =
        text.starts_with("dot_") ? algorithm_precision(text) : product_precision(text);
    if (auto* dot = std::get_if<DotDimensions>(&draft.attribute))
        dot->precision = std::max(dot->precision, read);
    else if (ConvolutionDimensions* convolution = convolution_of(draft))
        convolution->precision = read;
}

/// `{op_type="dot_general" op_name="jit(step)/dot_general" source_file="…"}`
void AttributeReader::metadata(InstructionDraft& draft) {
    const std::string_view text = scanner_.value();
    constexpr std::string_view key = "op_name=\"";
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return;
    const std::string_view rest = text.substr(at + key.size());
    const std::size_t end = rest.find_first_of("\"\\");
    if (end == std::string_view::npos || rest.front() == '"') return;
    draft.label =
        rest[end] == '"' ? builder_.name(rest.substr(0, end)) : builder_.name(without_escapes(rest));
}

void AttributeReader::frontend_attributes(InstructionDraft& draft) {
    const std::string_view text = scanner_.value();
    const std::size_t end = scanner_.position();
    const std::size_t begin = end - text.size();
    const auto value_of = [text](std::string_view key) {
        const std::size_t at = text.find(key);
        return at == std::string_view::npos ? at : at + key.size();
    };
    if (auto* communication = std::get_if<Communication>(&draft.attribute)) {
        const std::size_t at = value_of("_xla_send_recv_source_target_pairs=\"");
        if (at == std::string_view::npos) return;
        scanner_.move_to(begin + at);
        communication->pairs = read_device_pairs(scanner_);
    } else if (const std::size_t at = value_of("composite.name="); at != std::string_view::npos) {
        scanner_.move_to(begin + at);
        draft.composite = builder_.name(scanner_.quoted());
    }
    scanner_.move_to(end);
}

void AttributeReader::composite(InstructionDraft& draft) {
    draft.is_composite = scanner_.word() == "true";
}

void AttributeReader::sharding(InstructionDraft& draft) {
    draft.sharding = shardings_.read();
}

void AttributeReader::first_called(InstructionDraft& draft) {
    draft.called.insert(draft.called.begin(), computation_());
}

void AttributeReader::last_called(InstructionDraft& draft) {
    draft.called.push_back(computation_());
}

// A nested body starts with an instruction, `x = …` or ROOT; otherwise braces contain names.
bool AttributeReader::body_next() {
    const std::size_t begin = scanner_.position();
    scanner_.expect('{');
    bool body = scanner_.accept_word("ROOT");
    if (!body && scanner_.peek() != '}') {
        (void)scanner_.name();
        body = scanner_.peek() == '=';
    }
    scanner_.move_to(begin);
    return body;
}

void AttributeReader::all_called(InstructionDraft& draft) {
    if (scanner_.peek() != '{' || body_next()) return last_called(draft);
    scanner_.expect('{');
    if (scanner_.accept('}')) return;
    do last_called(draft);
    while (scanner_.accept(','));
    scanner_.expect('}');
}

}  // namespace dse::ir::hlo
