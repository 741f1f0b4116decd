// Drives libxml2 behind the prefilter, or our own reader, and lets no exception pass the parser's frames,
// which are C.
#include "reading/html.hpp"

#include <libxml/HTMLparser.h>
#include <libxml/globals.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/threads.h>
#include <libxml/xmlversion.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "reading/html_attributes.hpp"
#include "reading/html_elements.hpp"
#include "reading/markup_reader.hpp"
#include "reading/page_builder.hpp"
#include "reading/prefilter.hpp"

namespace nd::text {

namespace {

constexpr uint32_t kMinDepth = 16;
constexpr uint32_t kMaxDepth = 1024;
constexpr int kMaxOpenInParser = kMaxDepth + 4 * kMinDepth;
constexpr uint32_t kPagesPerContext = 400;
// The parser's dictionary never shrinks; pages of made-up names fill it faster than real ones.
constexpr int kNamesPerContext = 8192;
constexpr size_t kMaxInputBytes = size_t{1} << 30;  // libxml2 counts in int

struct FreeContext {
  void operator()(htmlParserCtxt* context) const noexcept { htmlFreeParserCtxt(context); }
};

std::string_view view(const xmlChar* text) noexcept {
  return text == nullptr ? std::string_view{} : std::string_view(reinterpret_cast<const char*>(text));
}

Element element_of(const xmlChar* name) noexcept {
  return find_element(name_key(view(name)));
}

}  // namespace

struct HtmlExtractor::State {
  Prefilter prefilter;
  std::unique_ptr<htmlParserCtxt, FreeContext> context;
  uint32_t pages = 0;

  MarkupReader reader;
  Doubt doubt = Doubt::kNone;
  PageBuilder builder;
  String frame;
  Attributes attributes;
  struct OpenElement {
    Element element;
    bool is_made_up;  // neither known nor custom
  };
  Vector<OpenElement> open;
  Extraction* out = nullptr;
  size_t depth_limit = 0;

  bool stopped = false;
  bool no_memory = false;
  std::exception_ptr failure;
  WorkTally work;            // of the page at hand, ...
  uint64_t parser_work = 0;  // without that of the current reading

  Doubt read(std::string_view html, std::string_view site, const HtmlLimits& limits, Extraction& result);
  void extract(std::string_view html, std::string_view site, const HtmlLimits& limits, size_t depth,
               Extraction& result);
  void parse(std::string_view html);
  void read_frames(uint32_t depth);
  void renew_context();

  void start_element(const xmlChar* name, const xmlChar** values);
  void end_element(const xmlChar* name);
  void characters(std::string_view text);
  void read_attributes(const xmlChar** values);
  void stop();
  void complain(const xmlError* error) noexcept;
  static void hear_error(void* state, xmlErrorPtr error);
  template <typename Handle>
  void guarded(Handle handle) noexcept;
};

void HtmlExtractor::State::hear_error(void* state, xmlErrorPtr error) {
  static_cast<State*>(state)->complain(error);
}

// While it lives, errors that this thread's parser reports without a context are noted too: a string that
// could not be copied. If they were ignored, libxml2 2.9 would ask for that string again and again until
// there is memory.
class HeardErrors {
 public:
  HeardErrors(void* state, xmlStructuredErrorFunc hear) noexcept
      : hear_before_(xmlStructuredError), context_before_(xmlStructuredErrorContext) {
    xmlSetStructuredErrorFunc(state, hear);
  }
  HeardErrors(const HeardErrors&) = delete;
  HeardErrors& operator=(const HeardErrors&) = delete;
  ~HeardErrors() { xmlSetStructuredErrorFunc(context_before_, hear_before_); }

 private:
  const xmlStructuredErrorFunc hear_before_;
  void* const context_before_;
};

// Exceptions must not pass through the parser's frames.
template <typename Handle>
void HtmlExtractor::State::guarded(Handle handle) noexcept {
  if (stopped || failure != nullptr) return;
  try {
    handle();
  } catch (...) {
    failure = std::current_exception();
  }
}

// Only from element handlers: libxml2 2.9 moves on by one character after a text handler returns, and a
// stopped parser has none left.
void HtmlExtractor::State::stop() {
  stopped = true;
  xmlStopParser(context.get());
}

// Every error of the parser. libxml2 2.9 does not recover from a failed allocation by itself: some of its
// loops wait for input that a parser in that state no longer consumes. Without memory for the name of a tag
// it says that the name is invalid, which it cannot be.
void HtmlExtractor::State::complain(const xmlError* error) noexcept {
  constexpr std::string_view kNoName = "htmlParseStartTag: invalid element name";
  const std::string_view message = error->message == nullptr ? std::string_view{} : error->message;
  const bool no_name =
      error->code == XML_ERR_NAME_REQUIRED && (message.empty() || message.starts_with(kNoName));
  if (!message.empty() && error->code != XML_ERR_NO_MEMORY && !no_name) return;
  no_memory = true;
  if (no_name && *context->input->cur == '<') {
    // While looking ahead, the parser would wait here for the end of the input.
    context->instate = XML_PARSER_EOF;
    context->disableSAX = 1;
  } else {
    xmlStopParser(context.get());
  }
}

void HtmlExtractor::State::read_attributes(const xmlChar** values) {
  attributes.clear();
  if (values == nullptr) return;
  for (; values[0] != nullptr; values += 2) {
    const Attribute attribute = find_attribute(view(values[0]));
    if (attribute != Attribute::kOther) attributes.set(attribute, view(values[1]));
  }
}

void HtmlExtractor::State::start_element(const xmlChar* name, const xmlChar** values) {
  ++parser_work;
  if (open.size() >= depth_limit) {
    out->limited = true;
    return stop();
  }
  if (builder.full()) return stop();
  const Element element = element_of(name);
  read_attributes(values);
  if (element == Element::kTemplate && !open.empty() && open.back().is_made_up) {
    attributes.remove(Attribute::kShadowRootMode);
  }
  open.push_back({element, element == Element::kUnknown && view(name).find('-') == std::string_view::npos});
  builder.open(element, attributes, 0);
}

void HtmlExtractor::State::end_element(const xmlChar* name) {
  if (builder.full()) return stop();
  const Element element = element_of(name);
  size_t at = open.size();
  while (at > 0 && open[at - 1].element != element)
    --at;
  parser_work += open.size() - at + 1;
  if (at == 0) return;
  while (open.size() >= at) {
    open.pop_back();
    builder.close();
  }
}

void HtmlExtractor::State::characters(std::string_view text) {
  parser_work += text.size();
  builder.text(text);
}

void HtmlExtractor::State::renew_context() {
  context.reset();
  context.reset(htmlNewParserCtxt());
  if (context == nullptr) throw std::bad_alloc();
  pages = 0;
  // libxml2 2.9 crashes if this table cannot grow; the depth is limited, so it need not.
  void* const names = xmlRealloc(context->nameTab, kMaxOpenInParser * sizeof *context->nameTab);
  if (names == nullptr) {
    context.reset();
    throw std::bad_alloc();
  }
  context->nameTab = static_cast<const xmlChar**>(names);
  context->nameMax = kMaxOpenInParser;
  htmlSAXHandler& sax = *context->sax;
  std::memset(&sax, 0, sizeof sax);
  sax.startElement = [](void* state, const xmlChar* name, const xmlChar** values) {
    auto& self = *static_cast<State*>(state);
    self.guarded([&] { self.start_element(name, values); });
  };
  sax.endElement = [](void* state, const xmlChar* name) {
    auto& self = *static_cast<State*>(state);
    self.guarded([&] { self.end_element(name); });
  };
  sax.characters = [](void* state, const xmlChar* text, int length) {
    auto& self = *static_cast<State*>(state);
    if (length <= 0) return;
    self.guarded([&] {
      self.characters({reinterpret_cast<const char*>(text), static_cast<size_t>(length)});
    });
  };
  // Without this one the bodies of scripts come as characters.
  sax.cdataBlock = [](void*, const xmlChar*, int) {};
  // The application's own handler must not be called for our pages: a handler set here takes precedence over
  // the global one.
  sax.initialized = XML_SAX2_MAGIC;
  sax.serror = hear_error;
}

// [3] Second half: the parser's events, which fill the BlockBuilder.
void HtmlExtractor::State::parse(std::string_view html) {
  prepare_parser_thread();
  const HeardErrors heard(this, hear_error);
  if (context == nullptr || pages >= kPagesPerContext || xmlDictSize(context->dict) > kNamesPerContext) {
    renew_context();
  }
  ++pages;
  htmlParserCtxt* const parser = context.get();
  htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_IGNORE_ENC);
  parser->userData = this;
  xmlParserInputBufferPtr buffer =
      xmlParserInputBufferCreateMem(html.data(), static_cast<int>(html.size()), XML_CHAR_ENCODING_NONE);
  xmlParserInputPtr input =
      buffer == nullptr ? nullptr : xmlNewIOInputStream(parser, buffer, XML_CHAR_ENCODING_NONE);
  if (input == nullptr) {
    if (buffer != nullptr) xmlFreeParserInputBuffer(buffer);
    context.reset();
    throw std::bad_alloc();
  }
  if (inputPush(parser, input) < 0) {
    xmlFreeInputStream(input);
    context.reset();
    throw std::bad_alloc();
  }
  xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8);
  parser->encoding = xmlStrdup(BAD_CAST "UTF-8");  // or the first bytes would be searched for another one
  htmlParseDocument(parser);
  no_memory |= parser->errNo == XML_ERR_NO_MEMORY || parser->encoding == nullptr;
  if (no_memory) {
    context.reset();
  } else {
    htmlCtxtReset(parser);
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  if (no_memory) throw std::bad_alloc();
}

void HtmlExtractor::State::extract(std::string_view html, std::string_view site, const HtmlLimits& limits,
                                   size_t depth, Extraction& result) {
  builder.start(result, site, limits);
  open.clear();
  out = &result;
  depth_limit = depth;
  stopped = false;
  no_memory = false;
  failure = nullptr;
  parser_work = html.size();
  if (!html.empty()) parse(html);
  read_frames(std::clamp(limits.depth, kMinDepth, kMaxDepth));
  builder.finish();
  work.add(Work::kParser, parser_work);
  work.add(Work::kBlocks, builder.work());
}

// The documents that frames hold as an attribute. Our reader reads these, also where libxml2 has read the
// page: what it has a doubt about ends the frame.
void HtmlExtractor::State::read_frames(uint32_t depth) {
  while (builder.begin_frame(frame)) {
    out->limited |= reader.read(frame, depth, builder) != Doubt::kNone;
    parser_work += reader.work();
  }
}

Doubt HtmlExtractor::State::read(std::string_view html, std::string_view site, const HtmlLimits& limits,
                                 Extraction& result) {
  work = WorkTally();
  if (html.size() > kMaxInputBytes) return Doubt::kSize;
  builder.start(result, site, limits);
  out = &result;
  const uint32_t depth = std::clamp(limits.depth, kMinDepth, kMaxDepth);
  const Doubt found = reader.read(html, depth, builder);
  parser_work = reader.work();
  if (found == Doubt::kNone) read_frames(depth);
  builder.finish();
  work.add(Work::kParser, parser_work);
  work.add(Work::kBlocks, builder.work());
  return found;
}

Doubt HtmlExtractor::doubt() const noexcept {
  return state_->doubt;
}

uint64_t HtmlExtractor::memory_bytes() const noexcept {
  return sizeof(State) + state_->prefilter.memory_bytes() + state_->reader.memory_bytes() +
         state_->builder.memory_bytes() + state_->frame.capacity() +
         state_->open.capacity() * sizeof(State::OpenElement);
}

void HtmlExtractor::release() noexcept {
  state_->prefilter.release();
  state_->reader.release();
  String().swap(state_->frame);
}

HtmlExtractor::HtmlExtractor() : state_(make_owned<State>()) {}
HtmlExtractor::~HtmlExtractor() = default;
HtmlExtractor::HtmlExtractor(HtmlExtractor&&) noexcept = default;
HtmlExtractor& HtmlExtractor::operator=(HtmlExtractor&&) noexcept = default;

Result<void> HtmlExtractor::extract(std::string_view html, std::string_view site, const HtmlLimits& limits,
                                    Extraction& out) {
  State& state = *state_;
  state.doubt = state.read(html, site, limits, out);
  if (state.doubt != Doubt::kNone) {
    const WorkTally in_vain = state.work;
    Result<void> extracted = extract_by_libxml2(html, site, limits, out);
    out.work.add(in_vain);
    return extracted;
  }
  out.work = state.work;
  return {};
}

Result<void> HtmlExtractor::extract_by_libxml2(std::string_view html, std::string_view site,
                                               const HtmlLimits& limits, Extraction& out) {
  State& state = *state_;
  const uint32_t depth = std::clamp(limits.depth, kMinDepth, kMaxDepth);
  state.work = WorkTally();
  const std::string_view filtered = state.prefilter.run(html.substr(0, kMaxInputBytes), depth);
  state.work.add(Work::kPrefilter, state.prefilter.work());
  // The prefilter keeps the limit; if this libxml2 implies more elements than it knows of, one more is
  // refused.
  state.extract(filtered.substr(0, kMaxInputBytes), site, limits, depth + kMinDepth, out);
  out.limited |=
      state.prefilter.limited() || html.size() > kMaxInputBytes || filtered.size() > kMaxInputBytes;
  out.work = state.work;
  return {};
}

Result<void> HtmlExtractor::extract_unfiltered(std::string_view html, std::string_view site,
                                               const HtmlLimits& limits, Extraction& out) {
  const uint32_t depth = std::clamp(limits.depth, kMinDepth, kMaxDepth);
  state_->work = WorkTally();
  state_->extract(html.substr(0, kMaxInputBytes), site, limits, depth, out);
  out.limited |= html.size() > kMaxInputBytes;
  out.work = state_->work;
  return {};
}

namespace {

#if LIBXML_VERSION < 21200

// Allocates what libxml2 will ask for, and more than that, and frees it before libxml2 asks, so that the
// allocator has it at hand. An allocator that keeps blocks by size (jemalloc) hands out a block of the same
// size again. glibc's calloc, with which libxml2 asks, skips the small blocks that are kept, and takes from a
// larger one.
constexpr size_t kRoom = 16384;
static_assert(sizeof(xmlGlobalState) <= kRoom / 4);

// Initialises what the creation of a thread's state depends on, before several threads do so at once.
void prepare_process() noexcept {
  static const bool prepared = (xmlInitThreads(), xmlInitGlobals(), true);
  static_cast<void>(prepared);
}

bool has_thread_state() noexcept {
  void* volatile state = std::calloc(1, sizeof(xmlGlobalState));  // or the compiler would leave this out
  void* volatile room = std::malloc(kRoom);
  const bool is_there = state != nullptr && room != nullptr;
  std::free(room);
  std::free(state);
  // Now, before another thread takes it. The main thread has no state of its own.
  if (is_there && xmlIsMainThread() == 0) xmlGetGlobalState();
  return is_there;
}

#else

void prepare_process() noexcept {}

bool has_thread_state() noexcept {
  return xmlCheckThreadLocalStorage() == 0;
}

#endif

}  // namespace

void prepare_parser_thread() {
  thread_local bool prepared = false;
  if (prepared) return;
  prepare_process();
  if (!has_thread_state()) throw std::bad_alloc();
  static const bool initialised = (xmlInitParser(), true);
  static_cast<void>(initialised);
  prepared = true;
}

}  // namespace nd::text
