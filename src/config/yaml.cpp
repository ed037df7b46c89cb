#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "dse/config/source_text.hpp"

namespace dse::config {

namespace {

/// Whether the quoted value at the start of `text` is not closed: the parser then reports the end of the
/// file.
bool is_unclosed(std::string_view text) {
    // Skip anchors before the value.
    while (text.starts_with('&')) {
        text.remove_prefix(std::min(text.find_first_of(" \t\r\n"), text.size()));
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    }
    if (!text.starts_with('"') && !text.starts_with('\'')) return false;  // a block: | or >
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            const bool doubled = quote == '\'' && text.substr(i + 1).starts_with('\'');
            if (!doubled) return false;
            ++i;
        }
    }
    return true;
}

}  // namespace

/// Builds our tree from the parser's events, because yaml-cpp's own tree does not keep the location of keys
/// and accepts duplicate keys.
class TreeBuilder final : public YAML::EventHandler {
  public:
    TreeBuilder(std::shared_ptr<const std::string> file, SourceText& source, Diagnostics& diagnostics)
        : file_{std::move(file)}, source_{source}, diagnostics_{diagnostics} {
        root_.location_.file = file_;
    }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        add(leaf(mark, Node::Kind::null), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            diagnostics_.error(place(mark), path(),
                               "an alias of a value that is not finished (it would contain itself)");
            add(leaf(mark, Node::Kind::null), 0);
            return;
        }
        // Aliases of aliases grow exponentially ("billion laughs"), so the number of expanded nodes per
        // document is limited.
        aliased_nodes_ += size_of(found->second);
        if (aliased_nodes_ > most_aliased_nodes)
            throw YAML::ParserException(mark, "aliases expand to too many values");
        Node copy = found->second;
        // It keeps its original location, but gets the path of the alias.
        move_to(copy, path());
        add(std::move(copy), 0);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_tag(mark, tag);
        if (tag == "!" && is_unclosed(source_.from(mark.line, mark.column)))
            throw YAML::ParserException(mark, "the quote that begins here is never closed");
        Node node = leaf(mark, Node::Kind::scalar);
        node.text_ = value;
        node.quoted_ = tag == "!";
        add(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        refuse_tag(mark, tag);
        open(mark, Node::Kind::sequence, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        refuse_tag(mark, tag);
        open(mark, Node::Kind::map, anchor);
    }
    void OnMapEnd() override { close(); }

    /// Reports a fatal parse error; the document counts as unreadable then.
    void fail(const SourceText::Place& where, std::string message) {
        root_ = Node{};
        root_.location_ = {file_, where.line, where.column};
        root_.unreadable_ = true;
        diagnostics_.error(root_.location_, "", std::move(message));
    }
    void fail(const YAML::Exception& error) {
        const std::string_view line = source_.from(error.mark.line, 0);
        const std::string_view indentation = line.substr(0, line.find_first_not_of(" \t"));
        const bool has_tab = indentation.find('\t') != std::string_view::npos;
        fail(source_.place(error.mark.line, error.mark.column),
             fmt::format("cannot be parsed: {}{}", error.msg,
                         has_tab ? " (the line is indented with a tab: YAML wants spaces)" : ""));
    }

    [[nodiscard]] const Node& root() const { return root_; }

  private:
    static constexpr std::size_t deepest = 64;
    static constexpr std::size_t most_aliased_nodes = 100000;

    struct Frame {
        Node node;
        YAML::anchor_t anchor{0};
        bool has_key{false};
        bool keeps_value{false};  ///< false after a key that was rejected
        std::string key;
        Location key_place;
        std::unordered_map<std::string, int> lines;  ///< of the keys so far
    };

    [[nodiscard]] Location place(const YAML::Mark& mark) {
        const SourceText::Place found = source_.place(mark.line, mark.column);
        return {file_, found.line, found.column};
    }

    /// The parser gives plain and quoted values without a tag the tags "?" and "!".
    void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
        if (tag.empty() || tag == "?" || tag == "!") return;
        diagnostics_.error(place(mark), path(), fmt::format("the tag '{}' is not supported", excerpt(tag)));
    }

    static std::size_t size_of(const Node& node) {
        std::size_t size = 1;
        for (const Node& item : node.items_) size += size_of(item);
        for (const Node::Entry& entry : node.entries_) size += size_of(entry.value);
        return size;
    }

    static std::string join(const std::string& outer, const std::string& name) {
        return outer.empty() ? name : outer + "." + name;
    }

    static void move_to(Node& node, const std::string& path) {
        node.path_ = path;
        for (std::size_t i = 0; i < node.items_.size(); ++i) {
            move_to(node.items_[i], join(path, std::to_string(i)));
        }
        for (Node::Entry& entry : node.entries_) move_to(entry.value, join(path, entry.key));
    }

    [[nodiscard]] std::string path() const {
        if (stack_.empty()) return "";
        const Frame& top = stack_.back();
        const std::string name =
            top.node.kind_ == Node::Kind::map ? top.key : std::to_string(top.node.items_.size());
        return join(top.node.path_, name);
    }

    [[nodiscard]] bool expects_key() const {
        return !stack_.empty() && stack_.back().node.kind_ == Node::Kind::map && !stack_.back().has_key;
    }

    Node leaf(const YAML::Mark& mark, Node::Kind kind) {
        Node node;
        node.kind_ = kind;
        node.location_ = place(mark);
        node.path_ = path();
        return node;
    }

    void open(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
        if (stack_.size() >= deepest) throw YAML::ParserException(mark, "nested deeper than 64 levels");
        Frame frame;
        frame.node = leaf(mark, kind);
        frame.anchor = anchor;
        stack_.push_back(std::move(frame));
    }

    void close() {
        Frame frame = std::move(stack_.back());
        stack_.pop_back();
        add(std::move(frame.node), frame.anchor);
    }

    void add(Node node, YAML::anchor_t anchor) {
        if (anchor != 0) anchors_[anchor] = node;
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        if (expects_key()) {
            take_key(node);
            return;
        }
        Frame& top = stack_.back();
        if (top.node.kind_ == Node::Kind::sequence) {
            top.node.items_.push_back(std::move(node));
            return;
        }
        // The parser only notices a missing value at the next token.
        if (node.is_null()) node.location_ = top.key_place;
        if (top.keeps_value) top.node.entries_.push_back({top.key, top.key_place, std::move(node)});
        top.has_key = false;
    }

    void take_key(const Node& node) {
        Frame& top = stack_.back();
        top.has_key = true;
        top.keeps_value = false;
        top.key = node.is_scalar() ? node.text_ : "?";
        top.key_place = node.location_;
        if (!node.is_scalar() || node.text_.empty()) {
            diagnostics_.error(node.location_, top.node.path_, "a key must be a name");
            return;
        }
        if (node.text_ == "<<" && !node.quoted_) {
            diagnostics_.error(node.location_, path(), "merging with '<<' is not supported (write the keys)");
            return;
        }
        const auto [known, is_new] = top.lines.emplace(node.text_, node.location_.line);
        top.keeps_value = is_new;
        if (is_new) return;
        diagnostics_.error(
            node.location_, path(),
            fmt::format("key '{}' is given twice (first on line {})", excerpt(node.text_), known->second));
    }

    std::shared_ptr<const std::string> file_;
    SourceText& source_;
    Diagnostics& diagnostics_;
    std::vector<Frame> stack_;
    std::map<YAML::anchor_t, Node> anchors_;
    std::size_t aliased_nodes_{0};
    Node root_;
};

namespace {

void parse_documents(std::string_view text, TreeBuilder& first, TreeBuilder& second) {
    std::istringstream stream{std::string{text}};
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(first)) parser.HandleNextDocument(second);
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    const auto file = std::make_shared<const std::string>(name);
    SourceText source(text);
    TreeBuilder builder(file, source, diagnostics);
    if (const auto fault = source.fault()) {
        builder.fail(fault->where, fault->message);
        return builder.root();
    }
    TreeBuilder rest(file, source, diagnostics);
    try {
        parse_documents(text, builder, rest);
    } catch (const YAML::Exception& error) {
        builder.fail(error);
    }
    if (!rest.root().is_null()) {
        diagnostics.error(rest.root().location(), "", "a second document (one file holds one)");
    }
    return builder.root();
}

Node load_yaml(const std::string& file, Diagnostics& diagnostics) {
    return parse_yaml(read_text(file), file, diagnostics);
}

}  // namespace dse::config
