package io.ndc;

import java.util.List;

/**
 * What ndc sees of a page: what {@link NearDuplicates#extract} says, with types. Later versions may add components:
 * read by the accessors, and leave the constructor to this package.
 *
 * @param kind {@code html}, {@code text} or {@code none}
 * @param charset that it was decoded by
 * @param charsetSource what said so: {@code bom}, {@code http}, {@code meta}, {@code validity}, {@code detector} or
 *     {@code fallback}
 * @param title empty: none
 * @param language as the page says; empty: it does not
 * @param keywords as the page says
 * @param description as the page says
 * @param canonical the URL that the page calls its own, as written; empty: none
 * @param canonicalUrl the same, resolved against the page's URL and without its fragment; empty: none, or it goes by
 *     {@code .} or {@code ..} segments
 * @param site its registrable domain
 * @param alternates the same in other languages, as the page says
 * @param width of its visible text: a wide character counts 2
 * @param contentWidth of its weighted main content
 * @param tokens how many
 * @param sentences how many
 * @param fingerprints how many
 * @param keys how many candidate keys
 * @param blocks of visible text, in the order of the document
 * @param limited whether a limit cut something off
 */
public record ExtractedPage(String kind, String charset, String charsetSource, String title, String language,
    String keywords, String description, String canonical, String canonicalUrl, String site, List<Alternate> alternates,
    long width, long contentWidth, long tokens, long sentences, long fingerprints, long keys, List<Block> blocks,
    boolean limited) {
  /**
   * A link to the page in another language.
   *
   * @param language of the page there
   * @param url where it is
   */
  public record Alternate(String language, String url) {}

  /**
   * A block of text.
   *
   * @param text normalised
   * @param weight 1: main content; 0: frame
   * @param words how many
   * @param linkShare of its text that is in links, 0..1
   * @param stopShare of its words that are stop words, 0..1
   * @param context the elements around it, as in {@code heading}, {@code list}, {@code navigation}
   */
  public record Block(
      String text, double weight, long words, double linkShare, double stopShare, List<String> context) {
    static Block of(JsonObject json) {
      return new Block(json.string("text"), json.number("weight"), json.count("words"), json.number("link_share"),
          json.number("stop_share"), json.strings("context"));
    }
  }

  static ExtractedPage of(String text) {
    JsonObject json = JsonReader.object(text);
    return new ExtractedPage(json.string("kind"), json.string("charset"), json.string("charset_source"),
        json.string("title"), json.string("language"), json.string("keywords"), json.string("description"),
        json.string("canonical"), json.string("canonical_url"), json.string("site"),
        json.objects("alternates")
            .stream()
            .map(link -> new Alternate(link.string("language"), link.string("url")))
            .toList(),
        json.count("width"), json.count("content_width"), json.count("tokens"), json.count("sentences"),
        json.count("fingerprints"), json.count("keys"), json.objects("blocks").stream().map(Block::of).toList(),
        json.flag("limited"));
  }
}
