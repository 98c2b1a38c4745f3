"""Reads replies with Ray Data: every batch of rows goes through `toolpeg parse`, from lines to lines.

    python ray_data.py /data/log/ /data/read/ tools.json auto

`toolpeg` and the tools file must be on every node. Ray tries a task again that fails. Rows keep their own fields; `read`
holds the record as JSON, since calls of different tools have no common columns.
"""

import json
import subprocess
import sys


def read_batch(batch, tools: str, wire_format: str):
    rows = [{key: plain(batch[key][at]) for key in batch} for at in range(len(batch["text"]))]
    # A row number of our own, so that every record finds its row again.
    lines = "".join(json.dumps({**row, "ray_row": at}) + "\n" for at, row in enumerate(rows))
    command = ["toolpeg", "parse", "-", "--input", "jsonl", "--format", wire_format, "--tools", tools, "--jsonl", "--skip-bad"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True)
    # 4: rows that are no replies were left out.
    if done.returncode not in (0, 4):
        raise RuntimeError(done.stderr)
    read = [None] * len(rows)
    # Not splitlines(): it takes other characters for line ends too.
    for line in done.stdout.split("\n"):
        if line:
            record = json.loads(line)
            read[record.pop("ray_row")] = json.dumps(record)
    return {**batch, "read": read}


def plain(value):
    """A value of an array as Python has it."""
    return value.item() if hasattr(value, "item") else value


def main(source: str, target: str, tools: str, wire_format: str) -> None:
    import ray

    rows = ray.data.read_json(source, lines=True)
    arguments = {"tools": tools, "wire_format": wire_format}
    rows.map_batches(read_batch, fn_kwargs=arguments, batch_size=4096, num_cpus=1).write_parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:5])
