import io.ndc.Event;
import io.ndc.Features;
import io.ndc.Flag;
import io.ndc.GroupInfo;
import io.ndc.NearDuplicates;
import io.ndc.NearDuplicatesException;
import io.ndc.NotFoundException;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.RemovalFilter;
import io.ndc.Result;
import io.ndc.Signature;
import io.ndc.Statistics;
import io.ndc.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** {@code OldCaller STORE}: a program that is written once, which later versions compile and run as it is. */
public final class OldCaller {
  private static final String STORY =
      "<p>The council will rebuild the old lighthouse above the harbour before the spring, and nobody "
      + "knows yet who is going to pay for it. The harbour master says that the lamp can be repaired.</p>";

  public static void main(String[] arguments) {
    byte[] body = STORY.getBytes(StandardCharsets.UTF_8);
    Page page =
        Page.of("http://a.example/", body).withContentType(null).withFetchedAtMs(1_700_000_000_000L).truncated();
    System.out.println(page.url());
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      Result first = pages.check("http://a.example/", body, null);
      Result copy = pages.check(Page.of("http://b.example/", ByteBuffer.wrap(body)).withContentType("text/html"));
      System.out.println(first.verdict() + " " + copy.verdict() + " " + copy.isDuplicate() + " "
          + copy.flags().contains(Flag.RECRAWL));
      System.out.println(
          pages.query(page).verdict() + " " + pages.query("http://c.example/", body, "").matchedPageId());
      PageInfo info = pages.find("http://b.example/").orElseThrow();
      System.out.println(
          info.equals(pages.page(copy.pageId()).orElseThrow()) + " " + info.firstFetchedAtMs() / 1_000_000_000_000L);
      List<GroupInfo> groups = pages.groups();
      System.out.println(groups.get(0).equals(new GroupInfo(1, 1, 2, false)) + " " + pages.members(1).size());
      System.out.println(pages.explain(first.pageId(), copy.pageId()).contains("\"exact\""));
      Statistics statistics = pages.stats();
      System.out.println(
          statistics.checks() + " " + statistics.expired() + " " + statistics.asMap().get("verdict_new"));
      System.out.println(pages.metrics().isEmpty() + " " + pages.checkFeatures(Features.compute(page, null)).verdict());
      long removed = pages.removeMatching(
          RemovalFilter.fetchedBefore(Instant.ofEpochMilli(Long.MAX_VALUE)).withSite("b.example").purging());
      Event event = pages.events(0).get(0);
      System.out.println(removed + " " + event.kind() + " " + event.sequence() + " " + (event.atMs() > 0));
      pages.members(99);
    } catch (NotFoundException missing) {
      System.out.println(missing.code());
    }
    try (NearDuplicates store = NearDuplicates.open(Path.of(arguments[0]), Map.of("durability", "snapshot"))) {
      store.check(page);
      store.setBookmark("reader", new byte[] {1});
      store.snapshot();
      System.out.println(
          store.bookmark("reader").isPresent() + " " + store.remove("http://a.example/") + " " + store.isClosed());
    } catch (NearDuplicatesException failure) {
      System.out.println(failure);
    }
    Page whole = Page.of("http://a.example/", body);
    byte[] features = Features.compute(whole, Map.of());
    byte[] signature = Signature.compute(whole, null);
    System.out.println(Features.decide(features, features, null).verdict() == Verdict.EXACT);
    System.out.println(Features.keys(features).length > 0 && Signature.compare(signature, signature) == 1);
    System.out.println(NearDuplicates.extract(page, null).startsWith("{"));
  }
}
