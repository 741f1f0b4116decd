package io.ndc.spark.archive;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the dates of WARC records in every spelling that the C++ reader takes. */
final class WarcDate {
  private static final Pattern FORM = Pattern.compile("([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})"
      + "(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]++))?)?"
      + "(?:[Zz]|([+-])([0-9]{2}):([0-9]{2})))?)?)?");
  private static final int FRACTION_DIGITS = 3;

  private WarcDate() {}

  /**
   * Milliseconds since 1970-01-01 UTC of the W3C profile of ISO 8601, from "2019" to
   * "2019-10-01T00:00:00.123456Z", with a zone other than Z too ("+02:00"). What is missing is the earliest;
   * a finer fraction is cut. Empty for anything else.
   */
  static OptionalLong parse(String text) {
    Matcher date = FORM.matcher(text);
    if (!date.matches()) return OptionalLong.empty();
    int hour = number(date, 4, 0);
    int minute = number(date, 5, 0);
    int second = number(date, 6, 0);
    int zoneHour = number(date, 9, 0);
    int zoneMinute = number(date, 10, 0);
    // Second 60: a leap second.
    if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59)
      return OptionalLong.empty();
    long days;
    try {
      days = LocalDate.of(number(date, 1, 0), number(date, 2, 1), number(date, 3, 1)).toEpochDay();
    } catch (DateTimeException noSuchDay) {
      return OptionalLong.empty();
    }
    int zone = zoneHour * 60 + zoneMinute;
    long minutes = (days * 24 + hour) * 60 + minute + ("-".equals(date.group(8)) ? zone : -zone);
    return OptionalLong.of((minutes * 60 + second) * 1000 + milliseconds(date.group(7)));
  }

  private static int number(Matcher date, int group, int missing) {
    return date.group(group) == null ? missing : Integer.parseInt(date.group(group));
  }

  private static int milliseconds(String fraction) {
    if (fraction == null) return 0;
    String digits = fraction + "0".repeat(FRACTION_DIGITS);
    return Integer.parseInt(digits.substring(0, FRACTION_DIGITS));
  }
}
