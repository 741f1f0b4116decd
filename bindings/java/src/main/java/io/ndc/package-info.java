/**
 * Near-duplicate detection for web crawlers. {@link io.ndc.NearDuplicates} is an engine that is asked page by page, at
 * fetch time; {@link io.ndc.Features} and {@link io.ndc.Signature} need none and are for crawlers of many processes;
 * {@link io.ndc.PageReader} makes both for page after page.
 *
 * <p>Nothing is null, neither what is passed nor what is answered, where {@code @Nullable} does not say so.
 *
 * <p>The work is done by a native library that comes with the jar, for Linux with glibc. System properties:
 *
 * <dl>
 *   <dt>{@code ndc.library.path}
 *   <dd>a directory with {@code libndcjni.so} in it, or that file: used instead of the jar's own
 *   <dt>{@code ndc.tmpdir}
 *   <dd>where the jar's library is unpacked to be loaded; it is removed at once. Default: {@code java.io.tmpdir}
 * </dl>
 */
@NullMarked
package io.ndc;

import org.jspecify.annotations.NullMarked;
