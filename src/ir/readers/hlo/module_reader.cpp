#include "module_reader.hpp"

#include <charconv>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "device_count.hpp"
#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/repeats.hpp"
#include "ir/program/trip_count.hpp"
#include "result_type.hpp"
#include "wrapped_instruction.hpp"

namespace dse::ir::hlo {
namespace {

// Deeper nesting than in any program; limits the use of the stack.
constexpr int deepest_instruction = 100;

class Deeper {
  public:
    Deeper(int& depth, const Scanner& scanner) : depth_{depth} {
        if (depth_ == deepest_instruction) scanner.refuse("instructions are nested too deeply");
        ++depth_;
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    int& depth_;
};

}  // namespace

ModuleReader::ModuleReader(Scanner& scanner)
    : scanner_{scanner}, attributes_{scanner_, builder_, shardings_, [this] {
                                         return computation_reference();
                                     }} {}

Program ModuleReader::read() {
    program_.language = Language::hlo;
    header();
    frame_tables();
    while (!at_module_end()) computation();
    if (program_.computations.empty()) scanner_.refuse_expected("a computation");
    if (!entry_marked_) program_.entry = ComputationId{program_.computations.size() - 1};
    settle_devices();
    program_.aliases = leaves_of(aliases_, program_, scanner_);
    derive_trip_counts(program_);
    mark_repeats(program_);
    return std::move(program_);
}

bool ModuleReader::at_module_end() {
    if (scanner_.at_end()) return true;
    const std::size_t begin = scanner_.position();
    const bool next = scanner_.accept_word("HloModule");
    scanner_.move_to(begin);
    return next;
}

void ModuleReader::header() {
    if (!scanner_.accept_word("HloModule")) return;
    program_.name = scanner_.name();
    (void)scanner_.accept(':');
    while (scanner_.accept(',')) {
        const std::string_view key = scanner_.word();
        if (key.empty()) scanner_.refuse_expected("an attribute of the module");
        scanner_.expect('=');
        if (key == "replica_count" || key == "num_partitions") {
            const std::int64_t count = scanner_.integer();
            if (count <= 0) scanner_.refuse(fmt::format("{} must be above 0", key));
            (key == "replica_count" ? program_.replicas : program_.partitions) = count;
        } else if (key == "input_output_alias" || key == "buffer_donor") {
            const auto read = key == "buffer_donor" ? read_donors(scanner_) : read_aliases(scanner_);
            aliases_.insert(aliases_.end(), read.begin(), read.end());
        } else if (key == "is_scheduled") {
            scheduled_ = scanner_.value() == "true";
        } else {
            (void)scanner_.value();
        }
    }
    shardings_.expect_devices(program_.partitions);
}

// Tables of source files and stack frames, to which metadata refers: lines that start with a number.
void ModuleReader::frame_tables() {
    for (const std::string_view title : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
        if (!scanner_.accept_word(title)) continue;
        while (scanner_.peek() >= '0' && scanner_.peek() <= '9') scanner_.skip_line();
    }
}

void ModuleReader::computation() {
    const std::size_t place = scanner_.position();
    const bool entry = scanner_.accept_word("ENTRY");
    if (!entry && scanner_.accept_word("ROOT")) {
        scanner_.move_to(place);
        return bare_instructions();
    }
    const std::string_view name = scanner_.name();
    if (!entry && scanner_.peek() == '=') {
        scanner_.move_to(place);
        return bare_instructions();
    }
    if (scanner_.peek() == '(') {
        (void)scanner_.enclosed();
        scanner_.expect("->");
        (void)shapes_.read();
    }
    if (scanner_.peek() != '{') scanner_.refuse_expected("a computation's '{'");
    const NameId label = builder_.name(name);
    const ComputationId id = body(name);
    if (!names_.define(label, id))
        scanner_.refuse(place, fmt::format("a second computation is called '{}'", program_.text(label)));
    while (scanner_.accept(',')) {
        (void)scanner_.word();
        scanner_.expect('=');
        (void)scanner_.value();
    }
    if (!entry) return;
    if (entry_marked_) scanner_.refuse(place, "a second computation is marked ENTRY");
    entry_marked_ = true;
    program_.entry = id;
}

ComputationId ModuleReader::body(std::string_view name) {
    const Deeper deeper{depth_, scanner_};
    const std::size_t place = scanner_.position();
    Body body;
    body.id = builder_.computation(name, scanner_.line());
    Body* outer = std::exchange(open_, &body);
    names_.open();
    scanner_.expect('{');
    while (!scanner_.accept('}')) {
        if (scanner_.at_end())
            scanner_.refuse(
                fmt::format("the text ends inside computation '{}', which begins in line {} (is the "
                            "file cut off?)",
                            program_.text(program_[body.id].name), program_[body.id].line));
        instruction(body);
    }
    finish_body(body, place);
    names_.close();
    open_ = outer;
    return body.id;
}

// Instructions outside of any computation form the entry.
void ModuleReader::bare_instructions() {
    const std::size_t place = scanner_.position();
    Body body;
    body.id = builder_.computation("entry", scanner_.line());
    open_ = &body;
    names_.open();
    while (!at_module_end()) instruction(body);
    finish_body(body, place);
    names_.close();
    open_ = nullptr;
}

void ModuleReader::finish_body(Body& body, std::size_t place) {
    Computation& computation = program_.computations[body.id.index()];
    if (computation.operations.empty()) scanner_.refuse(place, "the computation has no instructions");
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
        if (!body.arguments[i])
            scanner_.refuse(place, fmt::format("the computation has no parameter({})", i));
        program_.values[body.arguments[i]->index()].number = static_cast<std::uint32_t>(i);
        computation.arguments.push_back(*body.arguments[i]);
    }
    computation.results = {body.root ? *body.root : Program::result(computation.operations.back())};
}

ComputationId ModuleReader::computation_reference() {
    if (scanner_.peek() == '{') return body("");
    const std::size_t place = scanner_.position();
    const std::string_view name = scanner_.name();
    const auto found = names_.computation(builder_.name(name));
    if (!found)
        scanner_.refuse(place, fmt::format("there is no computation '{}' before this{}", name,
                                           names_.computation_suggestion(name)));
    return *found;
}

void ModuleReader::instruction(Body& body) {
    scanner_.skip();
    const Start start{scanner_.position(), scanner_.line()};
    const bool root = scanner_.accept_word("ROOT");
    const std::string_view name = scanner_.name();
    scanner_.expect('=');
    const NameId label = builder_.name(name);
    std::optional<TypeId> type;
    if (shapes_.next()) type = shapes_.read();
    const ValueId value = instruction_at_opcode(body, type, label, start);
    if (!names_.define(label, value))
        scanner_.refuse(start.place, fmt::format("a second instruction of the computation is called '{}'",
                                                 program_.text(label)));
    if (root && body.root) scanner_.refuse(start.place, "a second instruction is marked ROOT");
    if (root) body.root = value;
    scanner_.release_behind();
}

OpcodeWord ModuleReader::opcode_word(NameId& name) {
    scanner_.skip();
    const std::size_t place = scanner_.position();
    const std::string_view word = scanner_.word();
    if (word.empty()) scanner_.refuse_expected("an instruction's opcode");
    const OpcodeWord meaning = opcodes_[word];
    if (meaning.opcode == Opcode::unknown)
        scanner_.refuse(place,
                        fmt::format("HLO has no instruction '{}'{}", word, OpcodeWords::suggestion(word)));
    name = builder_.name(word);
    return meaning;
}

ValueId ModuleReader::instruction_at_opcode(Body& body, std::optional<TypeId> type, NameId label,
                                            Start start) {
    const Deeper deeper{depth_, scanner_};
    InstructionDraft draft;
    const OpcodeWord meaning = opcode_word(draft.name);
    draft.opcode = meaning.opcode;
    draft.wrapped = meaning.wrapped;
    draft.label = label;
    draft.line = start.line;
    draft.attribute =
        traits(meaning.wrapped == Opcode::unknown ? meaning.opcode : meaning.wrapped).attribute();
    operand_list(body, draft, type);
    if (label != no_name) attributes_.read(draft);
    finish(draft, builder_);
    if (!type) type = result_type(draft, program_);
    if (!type)
        scanner_.refuse(
            start.place,
            fmt::format("the type of this '{}' is not stated and does not follow from its operands",
                        program_.text(draft.name)));
    auto wrong =
        draft.wrapped != Opcode::unknown ? wrap(draft, *type, builder_) : std::optional<std::string>{};
    if (!wrong) wrong = fault(draft, *type, program_);
    if (wrong) scanner_.refuse(start.place, fmt::format("'{}': {}", program_.text(draft.name), *wrong));
    const ValueId value = append(body.id, draft, *type);
    if (draft.opcode == Opcode::parameter)
        take_argument(body, std::get<Index>(draft.attribute).number, value, start.place);
    return value;
}

void ModuleReader::take_argument(Body& body, std::int64_t number, ValueId value, std::size_t place) {
    const auto i = static_cast<std::size_t>(number);
    if (i >= body.arguments.size()) body.arguments.resize(i + 1);
    if (body.arguments[i]) scanner_.refuse(place, fmt::format("a second parameter has number {}", number));
    body.arguments[i] = value;
}

void ModuleReader::operand_list(Body& body, InstructionDraft& draft, std::optional<TypeId> type) {
    scanner_.expect('(');
    if (draft.opcode == Opcode::parameter) {
        parameter(draft);
    } else if (draft.opcode == Opcode::constant) {
        constant(draft, type);
    } else if (scanner_.peek() != ')') {
        do draft.operands.push_back(operand(body));
        while (scanner_.accept(','));
    }
    scanner_.expect(')');
}

// More parameters than any program has; keeps a wrong number from requesting excessive memory.
void ModuleReader::parameter(InstructionDraft& draft) {
    constexpr std::int64_t most = 1 << 20;
    const std::int64_t number = scanner_.integer();
    if (number < 0 || number >= most)
        scanner_.refuse(fmt::format("{} is not the number of a parameter", number));
    std::get<Index>(draft.attribute).number = number;
}

void ModuleReader::constant(InstructionDraft& draft, std::optional<TypeId> type) {
    (void)scanner_.peek();
    const std::size_t begin = scanner_.position();
    scanner_.skip_literal();
    if (!type || program_.types[*type].kind != Type::Kind::array || !program_.types[*type].sizes.empty())
        return;
    const NumberKind kind = number_kind(program_.types[*type].element);
    const std::string_view text = scanner_.since(begin);
    auto& literal = std::get<Literal>(draft.attribute);
    if (kind == NumberKind::boolean && (text == "true" || text == "false")) literal.integer = text == "true";
    if (kind != NumberKind::integer) return;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) literal.integer = value;
}

// `%x`, `f32[2] %x`, `%tuple#1`, or a whole instruction: `f32[2] negate(%x)`.
ValueId ModuleReader::operand(Body& body) {
    std::optional<TypeId> type;
    if (shapes_.next()) type = shapes_.read();
    scanner_.skip();
    const std::size_t place = scanner_.position();
    const std::string_view name = scanner_.name();
    if (scanner_.adjacent() == '(') {
        scanner_.move_to(place);
        return instruction_at_opcode(body, type, no_name, {place, scanner_.line()});
    }
    const auto value = names_.value(builder_.name(name));
    if (!value)
        scanner_.refuse(
            place, fmt::format("there is no value '{}' before this{}", name, names_.value_suggestion(name)));
    ValueId result = *value;
    while (scanner_.adjacent() == '#') result = element(body, result);
    return result;
}

ValueId ModuleReader::element(Body& body, ValueId tuple) {
    scanner_.expect('#');
    InstructionDraft draft;
    draft.opcode = Opcode::get_tuple_element;
    draft.line = scanner_.line();
    draft.operands = {tuple};
    draft.attribute = Index{scanner_.integer()};
    const auto type = result_type(draft, program_);
    if (!type)
        scanner_.refuse(fmt::format("{} has no such element", program_.types.text(program_.type_of(tuple))));
    return append(body.id, draft, *type);
}

ValueId ModuleReader::append(ComputationId computation, const InstructionDraft& draft, TypeId type) {
    const bool phase = draft.opcode == Opcode::async_update || draft.opcode == Opcode::async_done;
    const ValueId value =
        builder_.value(computation, {.opcode = draft.opcode,
                                     .name = draft.name,
                                     .label = draft.label,
                                     .operands = draft.operands,
                                     .results = std::span{&type, 1},
                                     .called = phase ? std::span<const ComputationId>{} : draft.called,
                                     .attribute = builder_.attribute(draft.attribute),
                                     .line = draft.line,
                                     .blocks = draft.blocks});
    if (!draft.sharding.empty()) program_.values[value.index()].sharding = builder_.sharding(draft.sharding);
    return value;
}

void ModuleReader::settle_devices() {
    const std::int64_t named = std::max(devices_named(program_), shardings_.devices());
    if (program_.devices() == 1) program_.partitions = named;
    program_.partitioned = scheduled_ || is_partitioned(program_);
}

}  // namespace dse::ir::hlo
