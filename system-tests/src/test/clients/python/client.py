"""Does with hdfs-native what applications do, below the folder /clients/python.

Fails when an answer is not the one that HDFS gives. What it leaves behind is for others to check.
"""

import sys
import time

from hdfs_native import AclEntry, Client, WriteOptions

FOLDER = "/clients/python"


def numbers(first: int, end: int) -> bytes:
    """Lines of eight bytes."""
    return b"".join(b"%07d\n" % number for number in range(first, end))


def refused(error: type[Exception], call, *arguments) -> None:
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError(f"{call.__name__}{arguments} was not refused")


def until(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def write(client: Client, path: str, content: bytes, options: WriteOptions | None = None) -> None:
    with client.create(path, options) as writer:
        writer.write(content)


def creates_writes_and_appends(client: Client) -> None:
    path = FOLDER + "/numbers"
    write(client, path, numbers(0, 300_000))
    refused(FileExistsError, client.create, path)
    assert client.get_file_info(path).length == 2_400_000
    for first, end in ((300_000, 300_001), (300_001, 400_000)):
        with client.append(path) as writer:
            writer.write(numbers(first, end))
    reader = client.read(path)
    assert reader.read() == numbers(0, 400_000)
    assert reader.read_range(8 * 123_456, 16) == b"0123456\n0123457\n"
    refused(FileNotFoundError, client.read, FOLDER + "/absent")
    refused(FileNotFoundError, client.append, FOLDER + "/absent")


def overwrites(client: Client) -> None:
    path = FOLDER + "/overwritten"
    write(client, path, b"long ago")
    write(client, path, b"now", WriteOptions(overwrite=True, permission=0o600))
    assert client.read(path).read() == b"now"


def shows_what_is_synced(client: Client) -> None:
    path = FOLDER + "/synced"
    with client.create(path) as writer:
        writer.write(b"before")
        writer.hsync()
        assert client.get_file_info(path).length == len(b"before")
        writer.write(b" and after")
    assert client.read(path).read() == b"before and after"


def recovers_the_lease_of_a_lost_writer(client: Client) -> None:
    path = FOLDER + "/recovered"
    writer = client.create(path)
    writer.write(b"synced")
    writer.hsync()
    until(lambda: client.recover_lease(path))
    assert client.read(path).read() == b"synced"
    refused(RuntimeError, writer.close)


def lists(client: Client) -> None:
    for number in range(1_500):
        client.mkdirs(f"{FOLDER}/many/{number:04}", create_parent=True)
    paths = [status.path for status in client.list_status(FOLDER + "/many")]
    assert paths == [f"{FOLDER}/many/{number:04}" for number in range(1_500)], paths
    assert len(client.glob_status(FOLDER + "/many/*[05]")) == 300
    below = {status.path for status in client.list_status(FOLDER, recursive=True)}
    assert {FOLDER + "/numbers", FOLDER + "/many/0000"} <= below


def renames(client: Client) -> None:
    for name in ("old", "other"):
        client.mkdirs(f"{FOLDER}/{name}/directory", create_parent=True)
        write(client, f"{FOLDER}/{name}/file", name.encode())
    refused(FileExistsError, client.rename, FOLDER + "/old/file", FOLDER + "/other/file")
    client.rename(FOLDER + "/old/file", FOLDER + "/other/file", overwrite=True)
    client.rename(FOLDER + "/other", FOLDER + "/renamed")
    assert client.read(FOLDER + "/renamed/file").read() == b"old"
    refused(FileNotFoundError, client.get_file_info, FOLDER + "/other")
    refused(FileNotFoundError, client.rename, FOLDER + "/other", FOLDER + "/renamed")


def deletes(client: Client) -> None:
    refused(RuntimeError, client.delete, FOLDER + "/old")
    assert client.delete(FOLDER + "/old", recursive=True)
    assert not client.delete(FOLDER + "/old")
    refused(FileNotFoundError, client.get_file_info, FOLDER + "/old/directory")


def sets_attributes(client: Client) -> None:
    path = FOLDER + "/attributes"
    write(client, path, b"attributes")
    client.set_permission(path, 0o1640)
    client.set_owner(path, "alice", "people")
    client.set_replication(path, 2)
    client.set_times(path, 1_000_000, 2_000_000)
    status = client.get_file_info(path)
    assert (status.permission, status.owner, status.group) == (0o1640, "alice", "people")
    assert (status.modification_time, status.access_time) == (1_000_000, 2_000_000)
    assert status.replication == 2


def sets_acls(client: Client) -> None:
    path = FOLDER + "/acl"
    client.mkdirs(path)
    client.modify_acl_entries(path, [AclEntry("user", "access", "rwx", "alice")])
    client.modify_acl_entries(path, [AclEntry("user", "default", "r-x", "bob")])
    named = {(entry.scope, entry.name, entry.permissions)
             for entry in client.get_acl_status(path).entries if entry.name}
    assert named == {("access", "alice", "rwx"), ("default", "bob", "r-x")}, named
    client.remove_default_acl(path)


def sums(client: Client) -> None:
    summary = client.get_content_summary(FOLDER + "/numbers")
    assert (summary.length, summary.file_count, summary.directory_count) == (3_200_000, 1, 0)
    assert client.get_content_summary(FOLDER + "/many").directory_count == 1_501


def main() -> None:
    client = Client(sys.argv[1])
    client.delete(FOLDER, recursive=True)
    client.mkdirs(FOLDER, create_parent=True)
    for step in (
        creates_writes_and_appends,
        overwrites,
        shows_what_is_synced,
        recovers_the_lease_of_a_lost_writer,
        lists,
        renames,
        deletes,
        sets_attributes,
        sets_acls,
        sums,
    ):
        step(client)
        print(step.__name__, flush=True)


main()
