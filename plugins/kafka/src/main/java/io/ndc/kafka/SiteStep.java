package io.ndc.kafka;

import io.ndc.SiteModel;
import io.ndc.kafka.Outbox.Topic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of the hosts of a partition. A model is kept as it was saved last, with the changes since; it is saved
 * anew when these weigh as much, so that a page costs about twice its own parts, and not the whole model.
 */
final class SiteStep implements AutoCloseable {
  /** A model with the number of its last change; {@code pages}: learned, and not forgotten. */
  record Saved(long pages, long change, byte[] model) {}

  /** The change that this one makes to a model, of either none: a page's parts. */
  record Change(long[] forgotten, long[] learned) {}

  /** The parts with which a page was learned. */
  record Learned(long[] parts) {}

  /** Models that are held in native memory. One has at most a quarter of a megabyte. */
  private static final int OPEN_MODELS = 256;

  /** Representatives get the model again at each doubling, of so few pages to so many. */
  private static final long FIRST_RENEWAL = 4;
  private static final long LAST_RENEWAL = 4096;

  private static final long[] NONE = {};
  /** Of which nothing is known; of none all would be told. */
  private static final long[] UNKNOWN = {0};

  private final Table sites;
  private final Outbox out;
  private final Map<String, Site> open = new LinkedHashMap<>(16, 0.75f, true);

  SiteStep(Table sites, Outbox out) {
    this.sites = sites;
    this.out = out;
  }

  /** A host that is held open. */
  private final class Site implements AutoCloseable {
    private final byte[] host;
    private final SiteModel model = new SiteModel();
    private long pages;
    private long change;
    private long savedBytes;
    private long changedBytes;

    Site(byte[] host) {
      this.host = host;
      Saved saved = RecordCodec.state(sites.get(key('m')), Saved.class);
      if (saved != null) {
        model.merge(saved.model());
        pages = saved.pages();
        change = saved.change();
        savedBytes = saved.model().length;
      }
      // Those that are saved may still be there if the machine stopped meanwhile.
      sites.scan(key('c'), key('c', change), (key, value) -> {
        apply(RecordCodec.state(value, Change.class));
        change = ByteBuffer.wrap(key, key.length - Long.BYTES, Long.BYTES).getLong();
        return true;
      });
    }

    byte[] key(char kind, long... number) {
      ByteBuffer key = ByteBuffer.allocate(host.length + 2 + Long.BYTES * number.length);
      key.put(host).put((byte) 0).put((byte) kind);
      Arrays.stream(number).forEach(key::putLong);
      return key.array();
    }

    private void apply(Change made) {
      if (made.forgotten().length > 0) model.forget(made.forgotten());
      if (made.learned().length > 0) model.learn(made.learned());
      pages += (made.learned().length > 0 ? 1 : 0) - (made.forgotten().length > 0 ? 1 : 0);
      changedBytes += Long.BYTES * (made.learned().length + made.forgotten().length);
    }

    /** Nothing if the page was learned with these. */
    void learn(long page, long[] parts) {
      byte[] of = key('p', page);
      Learned before = RecordCodec.state(sites.get(of), Learned.class);
      if (before != null && Arrays.equals(before.parts(), parts)) return;
      change(new Change(before == null ? NONE : before.parts(), parts));
      if (parts.length == 0) {
        sites.delete(of);
      } else {
        sites.put(of, RecordCodec.stateBytes(new Learned(parts)));
      }
    }

    private void change(Change made) {
      if (made.forgotten().length == 0 && made.learned().length == 0) return;
      apply(made);
      sites.put(key('c', ++change), RecordCodec.stateBytes(made));
      if (changedBytes > savedBytes + 1024) save();
    }

    private void save() {
      byte[] saved = model.save();
      sites.put(key('m'), RecordCodec.stateBytes(new Saved(pages, change, saved)));
      List<byte[]> applied = new ArrayList<>();
      sites.scan(key('c'), key('c'), (key, value) -> applied.add(key));
      applied.forEach(sites::delete);
      savedBytes = saved.length;
      changedBytes = 0;
    }

    /** Sends all pages what is known of them now. */
    void renew() {
      sites.scan(key('p'), key('p'), (key, value) -> {
        long page = ByteBuffer.wrap(key, key.length - Long.BYTES, Long.BYTES).getLong();
        tell(page, 0, RecordCodec.state(value, Learned.class).parts());
        return true;
      });
    }

    void tell(long page, long round, long[] parts) {
      out.send(Topic.WORK, Ids.bytes(page), new Message.Known(round, model.save(parts)));
    }

    @Override
    public void close() {
      model.close();
    }
  }

  /** A message that {@link #take} could not take. */
  void failed(Message message, String why) {
    if (message instanceof Message.Learn learn) {
      out.send(Topic.WORK, Ids.bytes(learn.page()), new Message.Failed(learn.round(), why));
    } else if (message instanceof Message.Refresh refresh) {
      out.send(Topic.WORK, Ids.bytes(refresh.page()), new Message.Failed(refresh.round(), why));
    }
  }

  void take(byte[] host, Message message) {
    Site site = site(host);
    if (message instanceof Message.Learn learn) {
      long before = site.pages;
      site.learn(learn.page(), learn.parts());
      site.tell(learn.page(), learn.round(), learn.parts());
      if (site.pages > before && isRenewal(site.pages)) site.renew();
    } else if (message instanceof Message.Refresh refresh) {
      Learned learned = RecordCodec.state(sites.get(site.key('p', refresh.page())), Learned.class);
      // A page that asks is answered, lest it ask for ever.
      if (learned != null || refresh.round() != 0)
        site.tell(refresh.page(), refresh.round(), learned == null ? UNKNOWN : learned.parts());
    } else if (message instanceof Message.Unlearn gone) {
      site.learn(gone.page(), NONE);
    } else {
      throw new MalformedException("no message about a site");
    }
  }

  private static boolean isRenewal(long pages) {
    return pages >= FIRST_RENEWAL && pages <= LAST_RENEWAL && Long.bitCount(pages) == 1;
  }

  private Site site(byte[] host) {
    String name = new String(host, StandardCharsets.ISO_8859_1);
    Site site = open.computeIfAbsent(name, key -> new Site(host));
    if (open.size() > OPEN_MODELS) open.remove(open.keySet().iterator().next()).close();
    return site;
  }

  /** Frees the native memory. */
  @Override
  public void close() {
    open.values().forEach(Site::close);
    open.clear();
  }
}
