"""Writes and reads tables with Spark's defaults, below the folder /clients/spark.

Fails when a row is missing or a committer leaves something behind.
"""

import sys

from pyspark.sql import DataFrame, SparkSession, functions

ROWS = 1_000_000
DAYS = 10


def numbers(spark: SparkSession, first: int, end: int) -> DataFrame:
    return spark.range(first, end, numPartitions=8).select(
        "id",
        functions.concat(functions.lit("row "), "id").alias("name"),
        (functions.col("id") % DAYS).alias("day"),
    )


def names(spark: SparkSession, folder: str) -> list[str]:
    """What a folder holds, as Hadoop's client tells."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    file_system = path.getFileSystem(spark._jsc.hadoopConfiguration())
    return sorted(status.getPath().getName() for status in file_system.listStatus(path))


def expect_days(spark: SparkSession, table: str, rows: list[int]) -> None:
    counts = spark.read.parquet(table).groupBy("day").count().orderBy("day").collect()
    assert [row["count"] for row in counts] == rows, counts
    assert names(spark, table) == ["_SUCCESS"] + [f"day={day}" for day in range(DAYS)]


def writes_a_partitioned_table(spark: SparkSession, table: str) -> None:
    numbers(spark, 0, ROWS).write.partitionBy("day").parquet(table)
    expect_days(spark, table, [ROWS // DAYS] * DAYS)
    read = spark.read.parquet(table)
    assert read.select(functions.sum("id")).first()[0] == ROWS * (ROWS - 1) // 2
    assert read.where("day = 7 and id < 1000").count() == 100
    assert read.where("id = 123456").first()["name"] == "row 123456"


def appends_to_it(spark: SparkSession, table: str) -> None:
    numbers(spark, ROWS, 2 * ROWS).write.mode("append").partitionBy("day").parquet(table)
    expect_days(spark, table, [2 * ROWS // DAYS] * DAYS)


def overwrites_a_partition(spark: SparkSession, table: str) -> None:
    day = numbers(spark, 0, 1_000).where("day = 3")
    overwrite = day.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
    overwrite.partitionBy("day").parquet(table)
    expect_days(spark, table, [2 * ROWS // DAYS] * 3 + [100] + [2 * ROWS // DAYS] * (DAYS - 4))


def overwrites_all(spark: SparkSession, table: str) -> None:
    numbers(spark, 0, 100).write.mode("overwrite").partitionBy("day").parquet(table)
    expect_days(spark, table, [10] * DAYS)


def streams(spark: SparkSession, table: str, folder: str) -> None:
    """Checkpoints are renamed into place: what was processed once is not processed again."""
    for rows in (100, 200):
        numbers(spark, 100, rows).write.mode("append").partitionBy("day").parquet(table)
        source = spark.readStream.schema(spark.read.parquet(table).schema).parquet(table)
        query = (
            source.writeStream.option("checkpointLocation", folder + "/checkpoint")
            .trigger(availableNow=True)
            .start(folder + "/streamed")
        )
        query.awaitTermination()
        assert spark.read.parquet(folder + "/streamed").count() == rows


def main() -> None:
    spark = (
        SparkSession.builder.master("local[2]")
        .appName("client")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.hadoop.fs.defaultFS", sys.argv[1])
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    folder = sys.argv[1] + "/clients/spark"
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)
    table = folder + "/table"
    hadoop = spark._jvm.org.apache.hadoop.util.VersionInfo.getVersion()
    print(f"Spark {spark.version} with Hadoop's client {hadoop}", flush=True)
    for step, *arguments in (
        (writes_a_partitioned_table, table),
        (appends_to_it, table),
        (overwrites_a_partition, table),
        (overwrites_all, table),
        (streams, table, folder),
    ):
        step(spark, *arguments)
        print(step.__name__, flush=True)
    spark.stop()


main()
