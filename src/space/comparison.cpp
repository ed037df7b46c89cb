#include "space/comparison.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace dse::space {
namespace {

/// Iterates over the text of an expression outside brackets and quotes.
class OuterText {
  public:
    explicit OuterText(std::string_view text) : text_{text} {}

    /// Position and text of the next occurrence of one of the words; nothing if there is none.
    template <std::size_t n>
    std::optional<std::pair<std::size_t, std::string_view>> next(
        const std::array<std::string_view, n>& words) {
        for (; at_ < text_.size(); ++at_) {
            if (!is_outside()) continue;
            const auto found = std::find_if(words.begin(), words.end(),
                                            [&](std::string_view word) { return stands_here(word); });
            if (found == words.end()) continue;
            const std::size_t place = at_;
            at_ += found->size();
            return std::pair{place, *found};
        }
        return std::nullopt;
    }

  private:
    /// Tracks brackets and quotes. \pre called once per character
    bool is_outside() {
        const char c = text_[at_];
        if (quote_ != '\0') {
            if (c == quote_) quote_ = '\0';
            return false;
        }
        if (c == '\'' || c == '"') quote_ = c;
        if (c == ')') --depth_;
        const bool outside = depth_ == 0 && quote_ == '\0';
        if (c == '(') ++depth_;
        return outside;
    }

    [[nodiscard]] bool stands_here(std::string_view word) const {
        if (text_.substr(at_, word.size()) != word) return false;
        if (std::isalpha(static_cast<unsigned char>(word.front())) == 0) return true;
        const bool begins = at_ == 0 || !is_letter(text_[at_ - 1]);
        const std::size_t end = at_ + word.size();
        return begins && (end == text_.size() || !is_letter(text_[end]));
    }

    static bool is_letter(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    }

    std::string_view text_;
    std::size_t at_{0};
    int depth_{0};
    char quote_{'\0'};
};

/// Operators of lower precedence than `and`.
constexpr std::array<std::string_view, 5> loose{"or", "||", "if", "else", "?"};
constexpr std::array<std::string_view, 2> joints{"and", "&&"};
constexpr std::array<std::string_view, 6> comparisons{"<=", ">=", "==", "!=", "<", ">"};
constexpr std::array<std::string_view, 4> logic{"not", "!", "and", "&&"};

bool has_loose(std::string_view text) {
    return OuterText{text}.next(loose).has_value();
}

TextPart trimmed(std::string_view text, std::size_t start, std::size_t end) {
    while (start < end && text[start] == ' ') ++start;
    while (end > start && text[end - 1] == ' ') --end;
    return {start, std::string{text.substr(start, end - start)}};
}

}  // namespace

std::vector<TextPart> conjuncts(std::string_view text) {
    if (has_loose(text)) return {trimmed(text, 0, text.size())};
    std::vector<TextPart> parts;
    std::size_t start = 0;
    OuterText outer{text};
    while (const auto joint = outer.next(joints)) {
        parts.push_back(trimmed(text, start, joint->first));
        start = joint->first + joint->second.size();
    }
    parts.push_back(trimmed(text, start, text.size()));
    return parts;
}

std::optional<std::pair<std::string, std::string>> ordered_sides(std::string_view text) {
    OuterText outer{text};
    const auto comparison = outer.next(comparisons);
    if (!comparison || comparison->second == "==" || comparison->second == "!=" || has_loose(text)) return {};
    if (OuterText{text}.next(logic)) return {};
    const std::size_t end = comparison->first + comparison->second.size();
    std::string left = trimmed(text, 0, comparison->first).text;
    std::string right = trimmed(text, end, text.size()).text;
    if (comparison->second.front() == '>') std::swap(left, right);
    return std::pair{std::move(left), std::move(right)};
}

}  // namespace dse::space
