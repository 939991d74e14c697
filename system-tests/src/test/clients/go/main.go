// Does with colinmarc/hdfs what applications do, below the folder /clients/go.
//
// Fails when an answer is not the one that HDFS gives. What it leaves behind is for others to check.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/colinmarc/hdfs/v2"
)

const folder = "/clients/go"

// numbers returns lines of eight bytes.
func numbers(first, end int) []byte {
	var lines bytes.Buffer
	for number := first; number < end; number++ {
		fmt.Fprintf(&lines, "%07d\n", number)
	}
	return lines.Bytes()
}

func must(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func result[T any](value T, err error) T {
	must(err)
	return value
}

func expect(holds bool, what ...any) {
	if !holds {
		log.Panic(what...)
	}
}

func refused(expected, err error) {
	expect(errors.Is(err, expected), "refused with ", err, " instead of ", expected)
}

// closed closes a writer, which may have to ask again until DataNodes have reported.
func closed(writer *hdfs.FileWriter) {
	deadline := time.Now().Add(30 * time.Second)
	err := writer.Close()
	for hdfs.IsErrReplicating(err) && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond)
		err = writer.Close()
	}
	must(err)
}

func write(writer *hdfs.FileWriter, content []byte) {
	result(writer.Write(content))
	closed(writer)
}

func createsWritesAndAppends(client *hdfs.Client) {
	path := folder + "/numbers"
	write(result(client.Create(path)), numbers(0, 300_000))
	_, err := client.Create(path)
	refused(os.ErrExist, err)
	write(result(client.Append(path)), numbers(300_000, 300_001))
	write(result(client.Append(path)), numbers(300_001, 400_000))
	expect(bytes.Equal(result(client.ReadFile(path)), numbers(0, 400_000)), "content of ", path)
	reader := result(client.Open(path))
	part := make([]byte, 16)
	result(reader.ReadAt(part, 8*123_456))
	expect(string(part) == "0123456\n0123457\n", string(part))
	expect(len(result(reader.Checksum())) == 16, "checksum")
	must(reader.Close())
	_, err = client.Open(folder + "/absent")
	refused(os.ErrNotExist, err)
	_, err = client.Append(folder + "/absent")
	refused(os.ErrNotExist, err)
}

func truncates(client *hdfs.Client) {
	path := folder + "/truncated"
	write(result(client.Create(path)), numbers(0, 200_000))
	// at the border of a block: done at once
	expect(result(client.Truncate(path, 1<<20)), "a block's border was not done at once")
	expect(!result(client.Truncate(path, 8*1_000)), "within a block it was done at once")
	until("truncate", func() bool {
		appended, err := client.Append(path)
		if err == nil {
			write(appended, numbers(1_000, 1_001))
		}
		return err == nil
	})
	expect(bytes.Equal(result(client.ReadFile(path)), numbers(0, 1_001)), "content of ", path)
}

func until(what string, condition func() bool) {
	for deadline := time.Now().Add(30 * time.Second); !condition(); {
		expect(time.Now().Before(deadline), what, " did not happen")
		time.Sleep(50 * time.Millisecond)
	}
}

func lists(client *hdfs.Client) {
	for number := 0; number < 1_500; number++ {
		must(client.MkdirAll(fmt.Sprintf("%s/many/%04d", folder, number), 0o755))
	}
	entries := result(client.ReadDir(folder + "/many"))
	expect(len(entries) == 1_500, len(entries), " entries")
	for number, entry := range entries {
		expect(entry.Name() == fmt.Sprintf("%04d", number), "entry ", number, " is ", entry.Name())
	}
	walked := 0
	must(client.Walk(folder+"/many", func(string, os.FileInfo, error) error {
		walked++
		return nil
	}))
	expect(walked == 1_501, "walked ", walked)
}

func renames(client *hdfs.Client) {
	for _, name := range []string{"old", "other"} {
		must(client.MkdirAll(folder+"/"+name+"/directory", 0o755))
		write(result(client.Create(folder+"/"+name+"/file")), []byte(name))
	}
	must(client.Rename(folder+"/old/file", folder+"/other/file"))
	must(client.Rename(folder+"/other", folder+"/renamed"))
	expect(string(result(client.ReadFile(folder+"/renamed/file"))) == "old", "content")
	_, err := client.Stat(folder + "/other")
	refused(os.ErrNotExist, err)
	refused(os.ErrNotExist, client.Rename(folder+"/other", folder+"/renamed/other"))
}

func deletes(client *hdfs.Client) {
	err := client.Remove(folder + "/old")
	expect(err != nil && strings.Contains(err.Error(), "not empty"), err)
	must(client.RemoveAll(folder + "/old"))
	must(client.RemoveAll(folder + "/old"))
	refused(os.ErrNotExist, client.Remove(folder+"/old"))
}

func setsAttributes(client *hdfs.Client) {
	path := folder + "/attributes"
	write(result(client.CreateFile(path, 2, 1<<20, 0o600)), []byte("attributes"))
	must(client.Chmod(path, 0o1640))
	must(client.Chown(path, "alice", "people"))
	must(client.Chtimes(path, time.Unix(2_000, 0), time.Unix(1_000, 0)))
	status := result(client.Stat(path)).(*hdfs.FileInfo)
	expect(status.Mode() == 0o1640, "mode ", status.Mode())
	expect(status.Owner() == "alice" && status.OwnerGroup() == "people", "owner")
	expect(status.ModTime().Unix() == 1_000 && status.AccessTime().Unix() == 2_000, "times")
}

func setsExtendedAttributes(client *hdfs.Client) {
	path := folder + "/attributes"
	must(client.SetXAttr(path, "user.color", "blue"))
	must(client.SetXAttr(path, "user.gone", "soon"))
	must(client.RemoveXAttr(path, "user.gone"))
	expect(len(result(client.ListXAttrs(path))) == 1, "attributes")
	expect(result(client.GetXAttrs(path, "user.color"))["user.color"] == "blue", "attribute")
}

func sums(client *hdfs.Client) {
	file := result(client.GetContentSummary(folder + "/numbers"))
	expect(file.Size() == 3_200_000 && file.FileCount() == 1, "summary of a file")
	many := result(client.GetContentSummary(folder + "/many"))
	expect(many.DirectoryCount() == 1_501, "summary of a directory")
	fileSystem := result(client.StatFs())
	expect(fileSystem.Capacity > fileSystem.Remaining, "capacity")
}

func main() {
	log.SetFlags(0)
	client := result(hdfs.New(strings.TrimPrefix(os.Args[1], "hdfs://")))
	must(client.RemoveAll(folder))
	must(client.MkdirAll(folder, 0o755))
	for _, step := range []struct {
		name string
		run  func(*hdfs.Client)
	}{
		{"creates, writes and appends", createsWritesAndAppends},
		{"truncates", truncates},
		{"lists", lists},
		{"renames", renames},
		{"deletes", deletes},
		{"sets attributes", setsAttributes},
		{"sets extended attributes", setsExtendedAttributes},
		{"sums", sums},
	} {
		step.run(client)
		fmt.Println(step.name)
	}
	must(client.Close())
}
