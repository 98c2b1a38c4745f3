"""Reads replies with Spark: every partition is piped through `toolpeg parse`, from lines to lines.

    spark-submit --files tools.json spark_pipe.py hdfs:///log/*.jsonl.gz hdfs:///read auto

Spark puts the files of `--files` into the folder in which the executors work, so the tools are named without a folder.
`toolpeg` must be on the PATH of the executors. Spark tries a task again that fails; a line that is no reply does not make
it fail: it is left out, and the sums below say how many were. Telemetry is merged with Spark itself, or with
`toolpeg stats` over the written files.
"""

import json
import os
import shlex
import sys

from pyspark.sql import SparkSession


def command(tools: str, wire_format: str) -> str:
    """What runs once per partition. Status 4, lines were left out, is no failure here."""
    arguments = ["--input", "jsonl", "--format", wire_format, "--tools", tools, "--jsonl", "--skip-bad"]
    script = f"toolpeg parse - {shlex.join(arguments)} || [ $? -eq 4 ]"
    return shlex.join(["sh", "-c", script])


def main(source: str, target: str, wire_format: str) -> None:
    spark = SparkSession.builder.appName("toolpeg").getOrCreate()
    replies = spark.sparkContext.textFile(source)
    # `pipe` starts its command with the environment that it is given, and with no other: not even a PATH.
    environment = {"PATH": os.environ["PATH"]}
    records = replies.pipe(command("tools.json", wire_format), env=environment, checkCode=True)
    records.saveAsTextFile(target, compressionCodecClass="org.apache.hadoop.io.compress.GzipCodec")

    written = spark.sparkContext.textFile(target).map(json.loads).cache()
    reasons = written.flatMap(lambda record: record["telemetry"]["rejections"].items())
    print("read", written.count(), "of", replies.count())
    print("refused", dict(reasons.reduceByKey(lambda left, right: left + right).collect()))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:4])
