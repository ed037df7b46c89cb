#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/frontend/template/operator_kind.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::frontend {

const std::string& Operation::letters_of(TensorId tensor) const {
    for (const Operand& operand : operands) {
        if (operand.tensor == tensor) return operand.letters;
    }
    for (const Operand& result : results) {
        if (result.tensor == tensor) return result.letters;
    }
    for (const Operand& part : cached) {
        if (part.tensor == tensor) return part.letters;
    }
    DSE_REQUIRE(false && "a kernel uses only tensors of its operation");
    return operands.front().letters;
}

bool Operation::is_loss() const {
    for (const Piece& piece : backward) {
        for (const Use& use : piece.reads) {
            if (use.gradient) return false;
        }
    }
    return !backward.empty() && passes_gradient.empty();
}

OperationBuilder::OperationBuilder(const OperatorLine& line, const config::Location& where,
                                   const graph::SoftwareStack& stack, Dimensions& dimensions,
                                   std::vector<Tensor>& tensors, std::span<const double> sample,
                                   config::Diagnostics& diagnostics, graph::Mode mode)
    : line_{&line},
      where_{&where},
      stack_{&stack},
      dimensions_{&dimensions},
      tensors_{&tensors},
      sample_{sample},
      diagnostics_{&diagnostics},
      mode_{mode} {
    operation_.kind = line.kind;
    operation_.where = where;
    for (const std::string& name : line.operands) {
        std::size_t found = tensors.size();
        std::vector<std::string> known;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (tensors[i].name == name) found = i;
            if (tensors[i].role != TensorRole::saved) known.push_back(tensors[i].name);
        }
        if (found == tensors.size()) {
            fail(fmt::format("unknown tensor '{}'{}", name, suggestion(name, known)));
        } else {
            operation_.operands.push_back({TensorId(found), ""});
        }
    }
}

const Tensor& OperationBuilder::tensor(std::size_t operand) const {
    return (*tensors_)[operation_.operands[operand].tensor.index()];
}

void OperationBuilder::fail(const std::string& message) {
    if (!failed_) diagnostics_->error(*where_, "", fmt::format("{}: {}", line_->kind, message));
    failed_ = true;
}

bool OperationBuilder::expect_operands(std::initializer_list<std::size_t> ranks) {
    if (failed_) return false;
    if (operand_count() != ranks.size()) {
        fail(fmt::format("takes {} tensors, not {}", ranks.size(), operand_count()));
        return false;
    }
    std::size_t operand = 0;
    for (const std::size_t rank : ranks) {
        const std::size_t have = tensor(operand).shape.size();
        if (rank != 0 && have != rank) {
            fail(fmt::format("'{}' has {} dimensions, not {}", tensor(operand).name, have, rank));
            return false;
        }
        ++operand;
    }
    return true;
}

void OperationBuilder::letter_by_position(std::size_t operand) {
    std::string letters;
    for (std::size_t i = 0; i < tensor(operand).shape.size(); ++i) letters += static_cast<char>('a' + i);
    letter(operand, std::move(letters));
}

void OperationBuilder::letter(std::size_t operand, std::string letters) {
    operation_.operands[operand].letters = std::move(letters);
}

Factor OperationBuilder::factor(char letter) const {
    for (const Operation::Operand& operand : operation_.operands) {
        const std::size_t position = operand.letters.find(letter);
        if (position != std::string::npos) {
            return {(*tensors_)[operand.tensor.index()].shape[position], letter};
        }
    }
    DSE_REQUIRE(false && "every letter stands in an operand");
    return {};
}

DimId OperationBuilder::dimension(const std::string& text) {
    try {
        return dimensions_->intern(text);
    } catch (const symbolic::ExpressionError& error) {
        fail(error.what());
        return DimId{};
    }
}

DimId OperationBuilder::option(std::string_view key) {
    asked_.emplace_back(key);
    const std::string* value = line_->option(key);
    if (value == nullptr) {
        fail(fmt::format("needs the option '{}'", key));
        return DimId{};
    }
    return dimension(*value);
}

DimId OperationBuilder::option(std::string_view key, const std::string& otherwise) {
    asked_.emplace_back(key);
    const std::string* value = line_->option(key);
    return dimension(value != nullptr ? *value : otherwise);
}

bool OperationBuilder::flag(std::string_view key) {
    asked_.emplace_back(key);
    const std::string* value = line_->option(key);
    if (value == nullptr || *value == "false") return false;
    if (*value != "true") fail(fmt::format("option '{}' is true or false, not '{}'", key, *value));
    return true;
}

TensorId OperationBuilder::add_result(std::size_t index, std::vector<DimId> shape, std::string letters,
                                      Storage storage) {
    if (index >= line_->results.size()) {
        fail(fmt::format("gives {} results", index + 1));
        return TensorId{};
    }
    const std::string& name = line_->results[index];
    for (const Tensor& other : *tensors_) {
        if (other.name == name)
            fail(fmt::format("tensor '{}' is already defined (each is computed once)", name));
    }
    ++named_;
    const TensorId id = add_tensor(name, TensorRole::computed, std::move(shape), storage);
    operation_.results.push_back({id, std::move(letters)});
    return id;
}

TensorId OperationBuilder::add_saved(const std::string& suffix, std::vector<DimId> shape, std::string letters,
                                     Storage storage) {
    const TensorId id =
        add_tensor(line_->results.front() + "." + suffix, TensorRole::saved, std::move(shape), storage);
    operation_.results.push_back({id, std::move(letters)});
    return id;
}

void OperationBuilder::keep_intermediate(const std::string& suffix, std::vector<DimId> shape,
                                         std::string letters, Storage storage) {
    if (failed_ || stack_->compiled || is_inference(mode_)) return;
    const TensorId id = add_saved(suffix, std::move(shape), std::move(letters), storage);
    operation_.forward.writes.push_back({id, false, 0.0});
    operation_.backward.front().reads.push_back({id, false, 0.0});
}

TensorId OperationBuilder::add_tensor(const std::string& name, TensorRole role, std::vector<DimId> shape,
                                      Storage storage) {
    tensors_->push_back({name, role, storage, std::move(shape), {}, false, *where_});
    return TensorId{tensors_->size() - 1};
}

Operation OperationBuilder::view_of(Operation::Operand operand) const {
    Operation view;
    view.kind = operation_.kind;
    view.where = operation_.where;
    view.view = true;
    view.operands = {std::move(operand)};
    view.passes_gradient = {0};
    return view;
}

void OperationBuilder::split_operand(std::size_t operand, const std::string& letters,
                                     const std::vector<std::pair<std::string, DimId>>& parts) {
    auto place = operation_.operands.begin() + static_cast<std::ptrdiff_t>(operand);
    Operation view = view_of({place->tensor, letters});
    place = operation_.operands.erase(place);
    // The parts are split like the whole, but have different extents.
    std::string part_letters = letters;
    part_letters.back() = static_cast<char>(letters.back() - 'a' + 'A');
    for (const auto& [suffix, width] : parts) {
        std::vector<DimId> shape = (*tensors_)[view.operands.front().tensor.index()].shape;
        shape.back() = width;
        const TensorId part = add_tensor(line_->results.front() + "." + suffix, TensorRole::computed,
                                         std::move(shape), Storage::activation);
        view.results.push_back({part, part_letters});
        place = operation_.operands.insert(place, {part, ""}) + 1;
    }
    before_.push_back(std::move(view));
}

void OperationBuilder::move_operand(std::size_t operand, graph::AxisSet axes, char letter) {
    Operation::Operand& moved = operation_.operands[operand];
    const Tensor whole = (*tensors_)[moved.tensor.index()];
    Operation view = view_of(moved);
    view.moves = {{axes, letter}};
    moved.tensor = add_tensor(whole.name + ".moved", whole.role, whole.shape, whole.storage);
    view.results = {moved};
    before_.push_back(std::move(view));
}

TensorId OperationBuilder::move_result(std::size_t result, graph::AxisSet axes, char letter) {
    Operation::Operand& moved = operation_.results[result];
    const Operation::Operand delivered = moved;
    const Tensor whole = (*tensors_)[moved.tensor.index()];
    moved.tensor = add_tensor(whole.name + ".moved", whole.role, whole.shape, whole.storage);
    Operation view = view_of(moved);
    view.moves = {{axes, letter}};
    view.results = {delivered};
    after_.push_back(std::move(view));
    return moved.tensor;
}

namespace {

/// Letters of samples in attention's folding and in the experts'; other dimensions get the letters after the
/// former.
constexpr Operation::Refolding samples{'a', 'z'};

std::string refolded_letters(char of_samples, std::size_t dimensions) {
    std::string letters(1, of_samples);
    for (std::size_t i = 1; i < dimensions; ++i) letters += static_cast<char>(samples.token + i);
    return letters;
}

}  // namespace

void OperationBuilder::refold_operand(std::size_t operand, std::vector<DimId> shape) {
    Operation::Operand& moved = operation_.operands[operand];
    const Tensor whole = (*tensors_)[moved.tensor.index()];
    Operation view = view_of({moved.tensor, refolded_letters(samples.token, shape.size())});
    view.refolding = samples;
    view.whole = view.operands.front().letters.substr(1);
    moved.tensor = add_tensor(whole.name + ".sent", TensorRole::computed, std::move(shape), whole.storage);
    view.results = {{moved.tensor, refolded_letters(samples.row, whole.shape.size())}};
    before_.push_back(std::move(view));
}

void OperationBuilder::refold_result(std::size_t result) {
    Operation::Operand& moved = operation_.results[result];
    const TensorId delivered = moved.tensor;
    const Tensor whole = (*tensors_)[delivered.index()];
    moved.tensor = add_tensor(whole.name + ".there", whole.role, whole.shape, whole.storage);
    Operation view = view_of({moved.tensor, refolded_letters(samples.row, whole.shape.size())});
    view.refolding = samples;
    view.whole = view.operands.front().letters.substr(1);
    view.results = {{delivered, refolded_letters(samples.token, whole.shape.size())}};
    after_.push_back(std::move(view));
}

void OperationBuilder::fill_cache(Operation& append, TensorId appended, const std::string& letters) {
    const DimId width = (*tensors_)[appended.index()].shape[2];
    append.forward.op_class = graph::OpClass::elementwise;
    for (const Operation::Operand& operand : append.operands)
        append.forward.reads.push_back({operand.tensor});
    append.forward.writes = {{appended}};
    append.forward.kernels = 0;
    append.resident =
        Operation::Operand{add_tensor((*tensors_)[appended.index()].name + ".resident", TensorRole::cache,
                                      {dimension("served"), dimension("cached"), width}, Storage::cache),
                           letters};
}

void OperationBuilder::cache_before(std::size_t first, const std::string& letters, DimId width,
                                    double share) {
    Operation append;
    append.kind = operation_.kind;
    append.where = operation_.where;
    for (std::size_t i = first; i < operand_count(); ++i) {
        append.operands.push_back({id(i), letters});
    }
    std::vector<DimId> shape = tensor(first).shape;
    shape.back() = width;
    const TensorId appended =
        add_tensor(line_->results.front() + ".append", TensorRole::cache, std::move(shape), Storage::cache);
    append.results = {{appended, letters}};
    fill_cache(append, appended, letters);
    for (Use& read : append.forward.reads) read.passes = share;
    before_.push_back(std::move(append));
}

TensorId OperationBuilder::read_cache(DimId batch, DimId width, const std::string& letters,
                                      const std::string& seen) {
    const TensorId part = add_tensor(line_->results.front() + ".cache", TensorRole::cache,
                                     {batch, dimension(seen), width}, Storage::cache);
    operation_.cached.push_back({part, letters});
    return part;
}

void OperationBuilder::keep_state(std::vector<DimId> shape, const std::string& letters, Storage storage) {
    shape.insert(shape.begin(), dimension("served"));
    operation_.resident = Operation::Operand{
        add_tensor(line_->results.front() + ".state", TensorRole::cache, std::move(shape), storage), letters};
}

std::string OperationBuilder::seen_in_cache() {
    asked_.emplace_back("selected");
    const std::string* selected = line_->option("selected");
    return selected == nullptr ? "context" : fmt::format("min({}, context)", *selected);
}

TensorId OperationBuilder::add_appended(std::vector<DimId> shape, const std::string& letters) {
    const TensorId appended = add_result(0, std::move(shape), letters, Storage::cache);
    if (failed_) return appended;
    (*tensors_)[appended.index()].role = TensorRole::cache;
    fill_cache(operation_, appended, letters);
    return appended;
}

std::vector<Operation> OperationBuilder::take() {
    std::vector<Operation> all = std::move(before_);
    all.push_back(std::move(operation_));
    all.insert(all.end(), std::make_move_iterator(after_.begin()), std::make_move_iterator(after_.end()));
    return all;
}

const std::string& OperationBuilder::text() {
    text_read_ = true;
    return line_->text;
}

void OperationBuilder::finish() {
    if (failed_) return;
    if (!line_->text.empty() && !text_read_) fail(fmt::format("takes no text, so not \"{}\"", line_->text));
    for (const OperatorLine::Option& option : line_->options) {
        if (std::find(asked_.begin(), asked_.end(), option.key) != asked_.end()) continue;
        fail(fmt::format("unknown option '{}'{}", option.key, suggestion(option.key, asked_)));
    }
    if (named_ != line_->results.size())
        fail(fmt::format("gives {} result{}, not {}", named_, named_ == 1 ? "" : "s", line_->results.size()));
    for (const Operation::Operand& operand : operation_.operands) {
        // Kernels refer to operands by tensor, so that an operation can read a tensor in only one way.
        if (operand.letters != operation_.letters_of(operand.tensor)) {
            fail(fmt::format("reads '{}' in two ways, '{}' and '{}'",
                             (*tensors_)[operand.tensor.index()].name, operation_.letters_of(operand.tensor),
                             operand.letters));
        }
    }
}

double OperationBuilder::extent(DimId dim) const {
    return dimensions_->evaluate(dim, sample_);
}

bool OperationBuilder::expect_equal(DimId have, DimId want, const std::string& what) {
    if (have == want || extent(have) == extent(want)) return true;
    fail(fmt::format("{} is {} = {}, but {} = {} is needed", what, dimensions_->text(have), extent(have),
                     dimensions_->text(want), extent(want)));
    return false;
}

bool OperationBuilder::check_letters() {
    for (const Operation::Operand& operand : operation_.operands) {
        const Tensor& owner = (*tensors_)[operand.tensor.index()];
        if (operand.letters.size() != owner.shape.size()) {
            fail(fmt::format("'{}' has {} dimensions, but '{}' names {}", owner.name, owner.shape.size(),
                             operand.letters, operand.letters.size()));
            return false;
        }
        for (std::size_t i = 0; i < operand.letters.size(); ++i) {
            const Factor first = factor(operand.letters[i]);
            const std::string what =
                fmt::format("dimension {} ('{}') of '{}'", i, operand.letters[i], owner.name);
            if (!expect_equal(owner.shape[i], first.dim, what)) return false;
        }
    }
    return true;
}

}  // namespace dse::frontend
