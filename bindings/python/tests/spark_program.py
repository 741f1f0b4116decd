"""spark_program.py FOLDER: what test_spark.py submits; prints a line of JSON."""

import json
import sys

from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

import ndc_dedup.spark
from crawled_site import article
from texts import text

COLUMNS = "id int, url string, body binary, `text` string"


def main(folder):
    session = SparkSession.builder.getOrCreate()
    rows = [
        (0, "http://a.example/", article(1).encode(), None),
        (1, "http://b.example/", None, text(1, 150)),
        (2, "http://c.example/", article(2).encode(), None),
        (3, "http://d.example/", None, None),
    ]
    frame = session.createDataFrame(rows, COLUMNS)
    answers = ndc_dedup.spark.deduplicate(frame, folder, {"x_relaxed": True}).orderBy("id").collect()
    refused = []
    for wrong, options in ((frame.drop("url"), {}), (frame, {"x_relaxed": 7})):
        try:
            ndc_dedup.spark.deduplicate(wrong, folder, options)
        except IllegalArgumentException as refusal:
            refused.append(str(refusal))
    columns = ["url", "group_id", "verdict", "resemblance", "representative", "flags"]
    print(
        "ANSWERS " + json.dumps({"rows": [[row[column] for column in columns] for row in answers], "refused": refused})
    )
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1])
