package io.ndc.spark.archive;

import java.util.Locale;

/** The meaning of a name in Content-Encoding or Transfer-Encoding. */
enum ContentCoding {
  IDENTITY, GZIP, DEFLATE, BROTLI, ZSTD, UNSUPPORTED;

  static ContentCoding of(String name) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "gzip":
      case "x-gzip":
        return GZIP;
      case "deflate":
        return DEFLATE;
      case "br":
        return BROTLI;
      case "zstd":
        return ZSTD;
      case "compress":
      case "x-compress":
      case "sdch":
      case "dcb":
      case "dcz":
      case "bzip2":
      case "xz":
        return UNSUPPORTED;
      default:
        // Servers name charsets, "none" and worse here; browsers take the bytes as they are.
        return IDENTITY;
    }
  }

  /** Whether the bytes can be data of this coding, by how they begin. */
  boolean canBegin(ByteRange bytes) {
    if (this == GZIP) return bytes.startsWith((byte) 0x1F, (byte) 0x8B);
    if (this == ZSTD) return ZstdDecoding.begins(bytes);
    return this == DEFLATE || this == BROTLI;
  }

  /** Decodes at most {@code limit} bytes. */
  Decoded decode(ByteRange bytes, int limit) {
    switch (this) {
      case GZIP:
        return DeflateDecoding.gzip(bytes, limit);
      case DEFLATE:
        return DeflateDecoding.deflate(bytes, limit);
      case BROTLI:
        return BrotliDecoding.decode(bytes, limit);
      case ZSTD:
        return ZstdDecoding.decode(bytes, limit);
      default:
        throw new IllegalStateException(name());
    }
  }
}
