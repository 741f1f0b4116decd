package io.ndc.kafka;

import io.ndc.Result;

/**
 * What a cluster says of a page.
 *
 * @param result the answer
 * @param committed the same, but of a page that came again with the same text what was answered before
 * @param duplicateOf the URL of the page that it was found equal or similar to; empty: it founded its group
 */
public record ClusterAnswer(Result result, Result committed, String duplicateOf) {}
