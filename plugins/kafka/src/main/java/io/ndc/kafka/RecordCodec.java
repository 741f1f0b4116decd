package io.ndc.kafka;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bytes of records: of messages and of what the steps keep. The components in their order, as docs/cluster.md has them;
 * in front a version, of messages also the kind. Reads hostile bytes: a length never exceeds what is left.
 */
final class RecordCodec {
  static final int VERSION = 1;

  private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();

  private RecordCodec() {}

  /** How the records of a class are taken apart and put together. */
  private record Shape(RecordComponent[] components, Constructor<?> constructor) {
    static Shape of(Class<?> type) {
      try {
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components)
          component.getAccessor().setAccessible(true);
        Constructor<?> constructor = type.getDeclaredConstructor(
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        return new Shape(components, constructor);
      } catch (NoSuchMethodException impossible) {
        throw new IllegalStateException("every record has its constructor", impossible);
      }
    }
  }

  static byte[] bytes(Message message) {
    return bytes(message, Message.KINDS.indexOf(message.getClass()));
  }

  /** Of a state: one class is kept in one table, which needs no kind. */
  static byte[] stateBytes(Record state) {
    return bytes(state, -1);
  }

  private static byte[] bytes(Object value, int kind) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      if (kind >= 0) out.writeByte(kind);
      writeRecord(out, value);
    } catch (IOException impossible) {
      throw new IllegalStateException("memory takes bytes", impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * The message in a record of a topic.
   *
   * @throws MalformedException if there is none of this version
   */
  static Message message(byte[] bytes) {
    if (bytes == null || bytes.length < 2) throw new MalformedException("no message");
    int kind = bytes[1];
    if (kind < 0 || kind >= Message.KINDS.size()) throw new MalformedException("a message of the unknown kind " + kind);
    return read(bytes, 2, Message.KINDS.get(kind));
  }

  /** Null: there was none. */
  static <T extends Record> T state(byte[] bytes, Class<T> type) {
    return bytes == null ? null : read(bytes, 1, type);
  }

  private static <T> T read(byte[] bytes, int begin, Class<T> type) {
    if (bytes[0] != VERSION) throw new MalformedException("a record of version " + bytes[0]);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, begin, bytes.length - begin))) {
      T value = type.cast(readRecord(in, type));
      if (in.available() > 0) throw new MalformedException("a record with " + in.available() + " bytes too many");
      return value;
    } catch (IOException cut) {
      throw new MalformedException("a record that ends too early", cut);
    }
  }

  private static void writeRecord(DataOutputStream out, Object value) throws IOException {
    for (RecordComponent component : SHAPES.computeIfAbsent(value.getClass(), Shape::of).components()) {
      try {
        write(out, component.getType(), component.getAccessor().invoke(value));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException("records tell their components", impossible);
      }
    }
  }

  private static void write(DataOutputStream out, Class<?> type, Object value) throws IOException {
    if (type == long.class) {
      out.writeLong((Long) value);
    } else if (type == int.class) {
      out.writeInt((Integer) value);
    } else if (type == boolean.class) {
      out.writeBoolean((Boolean) value);
    } else if (type == String.class) {
      write(out, byte[].class, ((String) value).getBytes(StandardCharsets.UTF_8));
    } else if (type == byte[].class) {
      out.writeInt(((byte[]) value).length);
      out.write((byte[]) value);
    } else if (type == Result.class) {
      writeResult(out, (Result) value);
    } else if (type.isArray()) {
      int length = Array.getLength(value);
      out.writeInt(length);
      for (int i = 0; i < length; i++)
        write(out, type.getComponentType(), Array.get(value, i));
    } else {
      writeRecord(out, value);
    }
  }

  private static Object readRecord(DataInputStream in, Class<?> type) throws IOException {
    Shape shape = SHAPES.computeIfAbsent(type, Shape::of);
    Object[] values = new Object[shape.components().length];
    for (int i = 0; i < values.length; i++)
      values[i] = read(in, shape.components()[i].getType());
    try {
      return shape.constructor().newInstance(values);
    } catch (ReflectiveOperationException refused) {
      throw new MalformedException("a record with values that do not go together", refused);
    }
  }

  private static Object read(DataInputStream in, Class<?> type) throws IOException {
    if (type == long.class) return in.readLong();
    if (type == int.class) return in.readInt();
    if (type == boolean.class) return in.readBoolean();
    if (type == String.class)
      return new String((byte[]) read(in, byte[].class), StandardCharsets.UTF_8);
    if (type == byte[].class) return in.readNBytes(length(in, Byte.BYTES));
    if (type == Result.class) return readResult(in);
    if (!type.isArray()) return readRecord(in, type);
    int length = length(in, type.getComponentType() == long.class ? Long.BYTES : Byte.BYTES);
    Object values = Array.newInstance(type.getComponentType(), length);
    for (int i = 0; i < length; i++)
      Array.set(values, i, read(in, type.getComponentType()));
    return values;
  }

  /** Each element takes so many bytes at least. */
  private static int length(DataInputStream in, int elementBytes) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available() / elementBytes) throw new MalformedException("a length of " + length);
    return length;
  }

  private static void writeResult(DataOutputStream out, Result result) throws IOException {
    out.writeByte(result == null ? -1 : result.verdict().ordinal());
    if (result == null) return;
    int flags = 0;
    for (Flag flag : result.flags())
      flags |= 1 << flag.ordinal();
    out.writeInt(flags);
    out.writeLong(result.pageId());
    out.writeLong(result.groupId());
    out.writeLong(result.matchedPageId());
    out.writeDouble(result.resemblance());
    out.writeDouble(result.containment());
    out.writeDouble(result.pageCoverage());
    out.writeDouble(result.matchedCoverage());
    out.writeDouble(result.probability());
  }

  private static Result readResult(DataInputStream in) throws IOException {
    int verdict = in.readByte();
    if (verdict == -1) return null;
    if (verdict < 0 || verdict >= Verdict.values().length) throw new MalformedException("the verdict " + verdict);
    int bits = in.readInt();
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    for (Flag flag : Flag.values()) {
      if ((bits & 1 << flag.ordinal()) != 0) flags.add(flag);
    }
    return new Result(Verdict.values()[verdict], flags, in.readLong(), in.readLong(), in.readLong(), in.readDouble(),
        in.readDouble(), in.readDouble(), in.readDouble(), in.readDouble(), 0);
  }
}
