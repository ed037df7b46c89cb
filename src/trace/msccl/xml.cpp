#include "trace/msccl/xml.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::trace::msccl {
namespace {

constexpr std::string_view blanks = " \t\r\n";
/// Deeper documents are refused before they exhaust the stack.
constexpr std::size_t most_levels = 64;

class XmlReader {
  public:
    XmlReader(std::string_view text, const std::string& path) : text_{text}, path_{path} {}

    XmlElement read() {
        skip_between();
        if (rest().empty()) refuse("there is no element");
        XmlElement root = element(0);
        skip_between();
        if (!rest().empty()) refuse("another element follows the root");
        return root;
    }

  private:
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    [[noreturn]] void refuse(const std::string& why) {
        throw InputError(fmt::format("'{}': line {}: {}", path_, line(), why));
    }
    /// Counts on from where it was last asked, since the text may be long.
    std::size_t line() {
        lines_ += static_cast<std::size_t>(std::ranges::count(text_.substr(counted_, at_ - counted_), '\n'));
        counted_ = at_;
        return lines_ + 1;
    }

    /// Skips up to and including an end.
    void skip_past(std::string_view end, const char* what) {
        const std::size_t found = text_.find(end, at_);
        if (found == std::string_view::npos) refuse(fmt::format("{} does not end", what));
        at_ = found + end.size();
    }
    void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }
    /// Skips text, comments and declarations up to the next tag.
    void skip_between() {
        for (;;) {
            at_ = std::min(text_.find('<', at_), text_.size());
            if (rest().starts_with("<!--")) {
                skip_past("-->", "a comment");
            } else if (rest().starts_with("<?")) {
                skip_past("?>", "a declaration");
            } else if (rest().starts_with("<!")) {
                skip_past(">", "a declaration");
            } else {
                return;
            }
        }
    }

    std::string name() {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n=/><\"'", at_), text_.size());
        if (end == at_) refuse("a name is missing");
        std::string result{text_.substr(at_, end - at_)};
        at_ = end;
        return result;
    }

    std::string value() {
        const char quote = rest().empty() ? '\0' : rest().front();
        if (quote != '"' && quote != '\'') refuse("the value of an attribute is not in quotes");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) refuse("the value of an attribute does not end");
        const std::string_view raw = text_.substr(at_ + 1, end - at_ - 1);
        if (raw.find('<') != std::string_view::npos) refuse("the value of an attribute does not end");
        std::string result = decoded(raw);
        at_ = end + 1;
        return result;
    }

    std::string decoded(std::string_view raw) {
        static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
            {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
        std::string result;
        while (!raw.empty()) {
            const auto entity =
                std::ranges::find_if(entities, [&](const auto& each) { return raw.starts_with(each.first); });
            if (entity == entities.end() && raw.front() == '&') refuse("an unknown entity (&…;)");
            result += entity == entities.end() ? raw.front() : entity->second;
            raw.remove_prefix(entity == entities.end() ? 1 : entity->first.size());
        }
        return result;
    }

    /// \pre the text goes on with '<'
    XmlElement element(std::size_t level) {
        if (level == most_levels) refuse("elements are nested too deeply");
        XmlElement result;
        result.line = line();
        ++at_;
        result.name = name();
        if (read_attributes(result)) return result;
        for (;;) {
            skip_between();
            if (rest().empty()) refuse(fmt::format("<{}> of line {} does not end", result.name, result.line));
            if (!rest().starts_with("</")) {
                result.children.push_back(element(level + 1));
                continue;
            }
            at_ += 2;
            if (const std::string closed = name(); closed != result.name)
                refuse(fmt::format("</{}> ends <{}> of line {}", closed, result.name, result.line));
            skip_blanks();
            if (!rest().starts_with('>')) refuse("a tag does not end");
            ++at_;
            return result;
        }
    }

    /// \return whether the element ends with its tag
    bool read_attributes(XmlElement& element) {
        for (;;) {
            skip_blanks();
            if (rest().starts_with("/>")) {
                at_ += 2;
                return true;
            }
            if (rest().starts_with('>')) {
                ++at_;
                return false;
            }
            if (rest().empty()) refuse("a tag does not end");
            std::string key = name();
            skip_blanks();
            if (!rest().starts_with('=')) refuse(fmt::format("attribute '{}' has no value", key));
            ++at_;
            skip_blanks();
            if (element.attribute(key)) refuse(fmt::format("attribute '{}' is given twice", key));
            std::string text = value();
            element.attributes.emplace_back(std::move(key), std::move(text));
        }
    }

    std::string_view text_;
    const std::string& path_;
    std::size_t at_{0};
    std::size_t counted_{0};
    std::size_t lines_{0};  ///< that end before counted_
};

}  // namespace

std::optional<std::string_view> XmlElement::attribute(std::string_view wanted) const {
    for (const auto& [key, value] : attributes) {
        if (key == wanted) return value;
    }
    return std::nullopt;
}

XmlElement read_xml(std::string_view text, const std::string& path) {
    return XmlReader{text, path}.read();
}

}  // namespace dse::trace::msccl
