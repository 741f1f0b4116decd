package io.ndc.kafka;

import io.ndc.Result;

/**
 * What a cluster says of a page.
 *
 * @param url of the page, as it was asked about
 * @param result the answer
 * @param committed the same, but of a page that came again with the same text what was answered before
 * @param duplicateOf the URL of the page that it was found equal or similar to; empty: it founded its group
 */
public record ClusterAnswer(String url, Result result, Result committed, String duplicateOf) {}
