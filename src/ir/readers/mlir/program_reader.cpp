#include "ir/readers/mlir/program_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "ir/program/trip_count.hpp"
#include "ir/readers/mlir/settle_devices.hpp"

namespace dse::ir::mlir {
namespace {

// Deeper nesting of regions than in any program.
constexpr std::size_t deepest_region = 200;

bool is_function(std::string_view name) {
    return name == "func.func" || name == "func";
}

bool is_module(std::string_view name) {
    return name == "module" || name == "builtin.module";
}

}  // namespace

ProgramReader::ProgramReader(Tokens& tokens, Aliases& aliases, std::vector<ReadModule>& done)
    : tokens_{tokens},
      aliases_{aliases},
      done_{done},
      types_{program_.types, aliases},
      sdy_{program_, aliases},
      writer_{tokens, aliases, types_, scopes_, sdy_, builder_},
      reader_{tokens, types_, scopes_, program_, *this} {
    program_.language = Language::mlir;
    program_.partitioned = true;
}

void ProgramReader::body() {
    for (;;) {
        tokens_.skip();
        if (tokens_.at_stop() || tokens_.peek() == '}') return;
        const char c = tokens_.peek();
        if (c == '#' || c == '!')
            alias();
        else if (c == '{' && tokens_.peek(1) == '-')
            tokens_.bracketed();  // resources
        else
            statement({});
    }
}

void ProgramReader::alias() {
    const std::size_t begin = tokens_.position();
    tokens_.advance();
    tokens_.suffix();
    const std::string_view name = tokens_.since(begin);
    tokens_.expect('=');
    aliases_.insert_or_assign(name, tokens_.typed_value());
}

// \param into  empty outside of all functions and regions
void ProgramReader::statement(std::optional<ComputationId> into) {
    while (open_.size() <= depth_) open_.emplace_back();
    Statement& statement = open_[depth_];
    reader_.head(statement);
    if (!statement.generic && is_module(statement.name)) {
        module();
    } else if (!statement.generic && is_function(statement.name)) {
        function(statement);
    } else {
        ++depth_;
        reader_.tail(statement);
        --depth_;
        operation(statement, into);
    }
    tokens_.skip_location();
}

void ProgramReader::operation(const Statement& statement, std::optional<ComputationId> into) {
    if (is_module(statement.name)) {
        module_attributes(statement.entries);
    } else if (is_function(statement.name)) {
        generic_function(statement);
    } else {
        if (statement.name == "sdy.mesh") mesh(statement);
        const ComputationId place = into ? *into : module_body();
        writer_.write(statement, place);
        if (!statement.location.empty())
            locations_.state(place, program_[place].operations.size() - 1, statement.location);
    }
}

void ProgramReader::module() {
    ProgramReader inner{tokens_, aliases_, done_};
    tokens_.skip();
    if (tokens_.peek() == '@') inner.program_.name = tokens_.symbol();
    if (tokens_.accept_word("attributes")) {
        std::vector<Statement::Entry> entries;
        StatementReader::dictionary(tokens_, entries);
        inner.module_attributes(entries);
    }
    tokens_.skip();
    const std::uint32_t line = tokens_.line();
    tokens_.expect('{');
    if (depth_ >= deepest_region) tokens_.refuse("modules are nested too deeply");
    inner.depth_ = depth_ + 1;
    inner.body();
    if (!tokens_.accept('}'))
        tokens_.refuse(
            fmt::format("the module that line {} opens is not closed; found {}", line, tokens_.found()));
    tokens_.skip_location();
    inner.finish();
}

void ProgramReader::module_attributes(const std::vector<Statement::Entry>& entries) {
    const std::size_t behind = tokens_.position();
    const auto count = [this](std::string_view text) {
        const std::int64_t value = writer_.text().integer(text);
        if (value < 1)
            writer_.text().refuse(text, "the numbers of replicas and partitions must be at least 1");
        return value;
    };
    for (const Statement::Entry& entry : entries) {
        if (entry.key == "mhlo.num_replicas") program_.replicas = count(entry.value);
        if (entry.key == "mhlo.num_partitions") program_.partitions = count(entry.value);
        if (entry.key == "sym_name") program_.name = unquoted(entry.value);
        if (entry.key == "mhlo.frontend_attributes") writer_.shardings().define_meshes(entry.value);
    }
    writer_.shardings().expect_devices(program_.partitions);
    tokens_.move_to(behind);
}

// `func.func private @f(%a: T {…}, …) -> (T {…}) attributes {…} { … }`
void ProgramReader::function(const Statement& head) {
    const bool is_private = tokens_.accept_word("private") || tokens_.accept_word("nested");
    if (!is_private) tokens_.accept_word("public");
    tokens_.skip();
    const std::string_view name = tokens_.symbol();
    const ComputationId id = builder_.computation(unquoted(name), head.line);
    const std::vector<Statement::Argument> arguments = function_arguments();
    std::vector<ShardingId> shardings;
    std::vector<TypeId> returned;
    if (tokens_.accept("->")) returned = function_results(shardings);
    program_.computations[id.index()].result_shardings = std::move(shardings);
    if (tokens_.accept_word("attributes")) {
        std::vector<Statement::Entry> ignored;
        StatementReader::dictionary(tokens_, ignored);
    }
    tokens_.skip();
    const bool has_body = tokens_.peek() == '{' && tokens_.peek(1) != '-';
    define_function(name, id, !is_private, has_body);
    add_aliases(id, arguments);
    if (has_body) {
        ++depth_;
        block(id, arguments, ValueScopes::Surroundings::hidden);
        --depth_;
        check_returned(name, program_[id], returned);
    } else {
        for (const Statement::Argument& argument : arguments) builder_.argument(id, argument.type);
    }
}

// A declaration's arguments may be unnamed.
std::vector<Statement::Argument> ProgramReader::function_arguments() {
    std::vector<Statement::Argument> arguments;
    tokens_.expect('(');
    while (!tokens_.accept(')')) {
        Statement::Argument argument;
        if (tokens_.accept('%')) {
            argument.name = tokens_.suffix();
            tokens_.expect(':');
        }
        argument.type = types_.read(tokens_);
        tokens_.skip();
        if (tokens_.peek() == '{') argument.attributes = tokens_.value();
        tokens_.skip_location();
        arguments.push_back(argument);
        tokens_.skip();
        if (tokens_.peek() != ')') tokens_.expect(',');
    }
    return arguments;
}

// What a terminator of an unknown dialect returns cannot be checked.
void ProgramReader::check_returned(std::string_view name, const Computation& function,
                                   const std::vector<TypeId>& stated) {
    const bool ends = !function.operations.empty() &&
                      is_known_dialect(dialect_of(program_.text(function.operations.back().name)));
    if (!ends || stated.empty()) return;
    if (function.results.size() != stated.size())
        writer_.text().refuse(name, fmt::format("@{} declares {} results, but returns {}", name,
                                                stated.size(), function.results.size()));
    for (std::size_t i = 0; i < stated.size(); ++i) {
        const TypeId actual = program_.type_of(function.results[i]);
        if (stated[i] == actual || program_.types[actual].kind == Type::Kind::untyped) continue;
        writer_.text().refuse(
            name, fmt::format("@{} declares {} as its result {}, but returns {}", name,
                              program_.types.text(stated[i]), i + 1, program_.types.text(actual)));
    }
}

std::vector<TypeId> ProgramReader::function_results(std::vector<ShardingId>& shardings) {
    tokens_.skip();
    if (tokens_.peek() != '(') return {types_.read(tokens_)};
    std::vector<TypeId> types;
    tokens_.advance();
    bool stated = false;
    while (!tokens_.accept(')')) {
        const std::array type{types_.read(tokens_)};
        types.push_back(type[0]);
        tokens_.skip();
        ShardingId sharding = no_sharding;
        if (tokens_.peek() == '{') {
            const std::string_view attributes = tokens_.value();
            const std::size_t behind = tokens_.position();
            sharding = writer_.shardings().of_dictionary(attributes, type);
            tokens_.move_to(behind);
        }
        stated = stated || sharding != no_sharding;
        shardings.push_back(sharding);
        tokens_.skip();
        if (tokens_.peek() != ')') tokens_.expect(',');
    }
    if (!stated) shardings.clear();
    return types;
}

// Source: JAX's lowering of donated arguments: `tf.aliasing_output = 0 : i32`, `jax.buffer_donor = true`
void ProgramReader::add_aliases(ComputationId id, const std::vector<Statement::Argument>& arguments) {
    const std::size_t behind = tokens_.position();
    std::vector<BufferAlias>& aliases = buffer_aliases_[id];
    std::uint32_t leaf = 0;
    for (const Statement::Argument& argument : arguments) {
        for (const Statement::Entry& entry : writer_.text().fields(argument.attributes)) {
            if (entry.key == "tf.aliasing_output")
                aliases.push_back({static_cast<std::uint32_t>(writer_.text().integer(entry.value)), leaf});
            if (entry.key == "jax.buffer_donor" && entry.value != "false")
                aliases.push_back({BufferAlias::any_result, leaf});
        }
        leaf += program_.types.leaves(argument.type);
    }
    tokens_.move_to(behind);
}

void ProgramReader::generic_function(const Statement& statement) {
    const std::string_view name = unquoted(statement.value("sym_name"));
    if (name.empty()) tokens_.refuse("the function has no sym_name");
    const bool has_body =
        !statement.regions.empty() && !program_[statement.regions.front()].operations.empty();
    const ComputationId id =
        statement.regions.empty() ? builder_.computation(name, statement.line) : statement.regions.front();
    program_.computations[id.index()].name = builder_.name(name);
    const std::string_view visibility = unquoted(statement.value("sym_visibility"));
    define_function(name, id, visibility != "private", has_body);
}

void ProgramReader::define_function(std::string_view name, ComputationId id, bool is_public, bool has_body) {
    if (!functions_.emplace(name, id).second)
        writer_.text().refuse(name, fmt::format("the function @{} is defined already", name));
    symbols_.push_back({name, is_public, has_body});
}

void ProgramReader::mesh(const Statement& statement) {
    const std::size_t behind = tokens_.position();
    std::string_view name = statement.generic ? unquoted(statement.value("sym_name")) : statement.word('@');
    std::string_view text = statement.generic ? statement.value("mesh") : statement.word('<');
    if (name.starts_with('@')) name = unquoted(name.substr(1));
    if (text.empty()) text = statement.word('#');  // the attribute in full: `#sdy.mesh<["x"=2]>`
    if (!text.empty()) text = text.substr(std::min(text.find('<'), text.size()));
    if (name.empty() || text.empty()) tokens_.refuse("expected '@name = <[\"axis\"=size, …]>' of a mesh");
    sdy_.define(name, writer_.text().at(text));
    tokens_.move_to(behind);
}

ComputationId ProgramReader::region(const std::vector<Statement::Argument>& arguments) {
    tokens_.skip();
    const ComputationId id = builder_.computation("", tokens_.line());
    if (depth_ >= deepest_region) tokens_.refuse("regions are nested too deeply");
    const std::string_view around = depth_ > 0 ? open_[depth_ - 1].name : std::string_view{};
    block(id, arguments,
          is_function(around) || is_module(around) ? ValueScopes::Surroundings::hidden
                                                   : ValueScopes::Surroundings::visible);
    return id;
}

void ProgramReader::block(ComputationId id, const std::vector<Statement::Argument>& arguments,
                          ValueScopes::Surroundings surroundings) {
    tokens_.skip();
    const std::uint32_t line = tokens_.line();
    tokens_.expect('{');
    scopes_.open(surroundings);
    add_arguments(id, arguments);
    for (;;) {
        tokens_.skip();
        if (tokens_.at_stop())
            tokens_.refuse(
                fmt::format("the region that line {} opens is not closed; found {}", line, tokens_.found()));
        if (tokens_.accept('}')) break;
        if (tokens_.peek() == '^')
            block_label(id);
        else
            statement(id);
    }
    scopes_.close();
}

void ProgramReader::block_label(ComputationId id) {
    const bool first = program_[id].operations.empty();
    if (!first) tokens_.refuse("the region has several blocks: only structured control flow is read");
    tokens_.advance();
    tokens_.suffix();
    tokens_.skip();
    if (tokens_.peek() == '(') add_arguments(id, function_arguments());
    tokens_.expect(':');
}

void ProgramReader::add_arguments(ComputationId id, const std::vector<Statement::Argument>& arguments) {
    for (const Statement::Argument& argument : arguments) {
        const std::size_t behind = tokens_.position();
        const std::array type{argument.type};
        const ShardingId sharding = writer_.shardings().of_dictionary(argument.attributes, type);
        tokens_.move_to(behind);
        const ValueId value = builder_.argument(id, argument.type, sharding);
        if (!argument.name.empty() && !scopes_.define(argument.name, {value, 1}))
            writer_.text().refuse(argument.name, fmt::format("%{} is defined already", argument.name));
    }
}

ComputationId ProgramReader::module_body() {
    if (!has_module_body_) {
        module_body_ = builder_.computation("", 1);
        has_module_body_ = true;
    }
    return module_body_;
}

void ProgramReader::finish() {
    if (symbols_.empty() && !has_module_body_) return;
    writer_.resolve_calls(functions_);
    choose_entry();
    program_.aliases = std::move(buffer_aliases_[program_.entry]);
    settle_devices(program_);
    derive_trip_counts(program_);
    done_.push_back({std::move(program_), std::move(locations_)});
}

// The function main; else the first public function with a body; else the first with a body; else the first.
void ProgramReader::choose_entry() {
    if (symbols_.empty()) {
        program_.entry = module_body_;
        return;
    }
    const Symbol* best = &symbols_.front();
    const auto rank = [](const Symbol& symbol) {
        return (symbol.name == "main" ? 4 : 0) + (symbol.has_body ? 2 : 0) + (symbol.is_public ? 1 : 0);
    };
    for (const Symbol& symbol : symbols_)
        if (rank(symbol) > rank(*best)) best = &symbol;
    program_.entry = functions_.at(best->name);
}

}  // namespace dse::ir::mlir
