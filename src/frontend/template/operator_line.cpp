#include "dse/frontend/template/operator_line.hpp"

#include <cctype>

#include <fmt/format.h>

namespace dse::frontend {
namespace {

/// Recursive-descent parser for one line; stops at the first error.
class LineParser {
  public:
    explicit LineParser(std::string_view text) : text_{text} {}

    std::optional<OperatorLine> parse(std::string& error) {
        OperatorLine line;
        if (results(line) && expect('=') && name(line.kind) && arguments(line) && at_end()) return line;
        error = error_;
        return std::nullopt;
    }

  private:
    bool fail(const std::string& reason) {
        if (error_.empty()) error_ = fmt::format("{} at column {} of '{}'", reason, position_ + 1, text_);
        return false;
    }

    void skip_spaces() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
    }

    [[nodiscard]] char peek() {
        skip_spaces();
        return position_ < text_.size() ? text_[position_] : '\0';
    }

    bool accept(char wanted) {
        if (peek() != wanted) return false;
        ++position_;
        return true;
    }

    bool expect(char wanted) { return accept(wanted) || fail(fmt::format("expected '{}'", wanted)); }

    bool at_end() { return peek() == '\0' || fail("nothing may follow the closing ')'"); }

    bool name(std::string& result) {
        skip_spaces();
        const std::size_t begin = position_;
        const auto is_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        while (position_ < text_.size() && is_name(text_[position_])) ++position_;
        result = text_.substr(begin, position_ - begin);
        return !result.empty() || fail("expected a name");
    }

    bool results(OperatorLine& line) {
        do {
            if (!name(line.results.emplace_back())) return false;
        } while (accept(','));
        return true;
    }

    bool arguments(OperatorLine& line) {
        if (!expect('(')) return false;
        if (accept(')')) return true;
        do {
            if (!argument(line)) return false;
        } while (accept(','));
        return expect(')');
    }

    bool argument(OperatorLine& line) {
        if (accept('"')) {
            if (!line.text.empty()) return fail("a second quoted text");
            return quoted(line.text);
        }
        std::string word;
        if (!name(word)) return false;
        if (!accept('=')) {
            line.operands.push_back(std::move(word));
            return true;
        }
        if (line.option(word) != nullptr) return fail(fmt::format("option '{}' is given twice", word));
        return value(line.options.emplace_back(OperatorLine::Option{std::move(word), {}}).value);
    }

    bool quoted(std::string& result) {
        const std::size_t end = text_.find('"', position_);
        if (end == std::string_view::npos) return fail("a quoted text that does not end");
        result = text_.substr(position_, end - position_);
        position_ = end + 1;
        return true;
    }

    /// An expression: up to a comma or the closing parenthesis outside its own parentheses.
    bool value(std::string& result) {
        skip_spaces();
        const std::size_t begin = position_;
        int depth = 0;
        for (; position_ < text_.size(); ++position_) {
            const char c = text_[position_];
            if (depth == 0 && (c == ',' || c == ')')) break;
            if (c == '(') ++depth;
            if (c == ')') --depth;
        }
        result = text_.substr(begin, position_ - begin);
        while (!result.empty() && result.back() == ' ') result.pop_back();
        return !result.empty() || fail("expected an expression");
    }

    std::string_view text_;
    std::size_t position_{0};
    std::string error_;
};

}  // namespace

const std::string* OperatorLine::option(std::string_view key) const {
    for (const Option& candidate : options) {
        if (candidate.key == key) return &candidate.value;
    }
    return nullptr;
}

std::optional<OperatorLine> parse_operator_line(std::string_view text, std::string& error) {
    return LineParser(text).parse(error);
}

}  // namespace dse::frontend
