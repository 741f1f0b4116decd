"""Near-duplicates among the rows of a Spark table, for PySpark 4.1.

    groups = ndc_dedup.spark.deduplicate(pages, "hdfs:///tmp/ndc")

``io.ndc.spark.NdDeduplicator`` does the work, on the executors: the session needs the jars of the Spark job, by
``--packages`` or ``--jars``. docs/guide-spark.md says what the columns mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional, Union

from py4j.java_gateway import JavaClass  # pyright: ignore[reportMissingImports]
from pyspark.sql import DataFrame  # pyright: ignore[reportMissingImports]

__all__ = ["deduplicate"]

_CLASS = "io.ndc.spark.NdDeduplicator"


def deduplicate(
    frame: DataFrame, folder: str, options: Optional[Mapping[str, Union[bool, int, float, str]]] = None
) -> DataFrame:
    """The rows of ``frame`` with ``group_id``, ``verdict``, ``resemblance``, ``representative`` and ``flags``.

    ``frame`` has columns ``url`` (string) and ``body`` (binary) or ``text`` (string), perhaps ``content_type``
    (string); it is computed twice. ``folder`` is on a file system that all executors reach; it gets a folder for each
    call, which can be removed when the result is no longer used. ``options`` are those of the library.

    Raises ``pyspark.errors.IllegalArgumentException`` for other columns and wrong options, ``RuntimeError`` where the
    session has no JVM (Spark Connect) or not the jars.
    """
    session = frame.sparkSession
    jvm = getattr(session, "_jvm", None)
    if jvm is None:
        raise RuntimeError("a session of Spark Connect has no JVM in this process, which ndc_dedup.spark needs")
    found = jvm.io.ndc.spark.NdDeduplicator
    if not isinstance(found, JavaClass):
        raise RuntimeError(
            f"the session lacks {_CLASS}: start it with the jars of ndc for Spark (--packages or --jars)"
        )
    deduplicator = found(folder)
    for key, value in (options or {}).items():
        deduplicator.option(key, str(value).lower() if isinstance(value, bool) else str(value))
    return DataFrame(deduplicator.transform(frame._jdf), session)
