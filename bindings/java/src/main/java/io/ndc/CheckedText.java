package io.ndc;

/**
 * What {@link NearDuplicates#checkWithText} says of a page.
 *
 * @param result the answer
 * @param ownText the text of the page that is its own, as {@link NearDuplicates#ownText} gives it
 */
public record CheckedText(Result result, String ownText) {}
