"""Reads replies with Spark: every partition is piped through `toolpeg parse`, from lines to lines.

    spark-submit --files tools.json spark_pipe.py hdfs:///log/*.jsonl.gz hdfs:///read auto

`toolpeg` must be on the PATH of the executors. Spark tries a task again that fails; a line that is no reply does not make
it fail: it is left out, and the sums below say how many were. Telemetry is merged with Spark itself, or with
`toolpeg stats` over the written files.
"""

import json
import sys

from pyspark import SparkFiles
from pyspark.sql import SparkSession


def main(source: str, target: str, wire_format: str) -> None:
    spark = SparkSession.builder.appName("toolpeg").getOrCreate()
    replies = spark.sparkContext.textFile(source)
    # --skip-bad ends with 4 when it left a line out, which is no failure here. The shell runs on the executor.
    command = (
        f"toolpeg parse - --input jsonl --format {wire_format} --tools '{SparkFiles.get('tools.json')}' "
        "--jsonl --skip-bad || [ $? -eq 4 ]"
    )
    records = replies.pipe(f'sh -c "{command}"', checkCode=True)
    records.saveAsTextFile(target, compressionCodecClass="org.apache.hadoop.io.compress.GzipCodec")

    written = spark.sparkContext.textFile(target).map(json.loads).cache()
    reasons = written.flatMap(lambda record: record["telemetry"]["rejections"].items())
    print("read", written.count(), "of", replies.count())
    print("refused", dict(reasons.reduceByKey(lambda left, right: left + right).collect()))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:4])
