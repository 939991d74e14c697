package main

import (
	"fmt"
	"sort"
	"strings"
)

// A call of a client. One that isRepeated may have taken effect once more before its answer.
type call struct {
	operation, path, other, mode string
	isRepeated                   bool
}

// A tree below one directory: what there is at each path, "d755" or "f644".
type tree map[string]string

func parse(state string) tree {
	t := tree{}
	for _, entry := range strings.Fields(state) {
		path, inode, _ := strings.Cut(entry, "=")
		t[path] = inode
	}
	return t
}

// state is the same for equal trees.
func (t tree) state() string {
	entries := make([]string, 0, len(t))
	for path, inode := range t {
		entries = append(entries, path+"="+inode)
	}
	sort.Strings(entries)
	return strings.Join(entries, " ")
}

func (t tree) hasParentOf(path string) bool {
	slash := strings.LastIndexByte(path, '/')
	return slash < 0 || strings.HasPrefix(t[path[:slash]], "d")
}

// below visits a path and all that is below it.
func (t tree) below(path string, visit func(string)) {
	var paths []string
	for p := range t {
		if p == path || strings.HasPrefix(p, path+"/") {
			paths = append(paths, p)
		}
	}
	for _, p := range paths {
		visit(p)
	}
}

func (t tree) list(path string) string {
	if !strings.HasPrefix(t[path], "d") {
		return t.stat(path)
	}
	names := []string{}
	for p := range t {
		if rest, isBelow := strings.CutPrefix(p, path+"/"); isBelow && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	sort.Strings(names)
	return "[" + strings.Join(names, ",") + "]"
}

func (t tree) stat(path string) string {
	if t[path] == "" {
		return "none"
	}
	return t[path]
}

// apply changes the tree as HDFS does, and returns the answer: yes, no, or what there is.
func (t tree) apply(c call) string {
	there := t[c.path]
	switch c.operation {
	case "mkdir":
		if !t.hasParentOf(c.path) || strings.HasPrefix(there, "f") {
			return "no"
		}
		if there == "" {
			t[c.path] = "d" + c.mode
		}
		return "yes"
	case "create":
		if !t.hasParentOf(c.path) || there != "" {
			return "no"
		}
		t[c.path] = "f" + c.mode
		return "yes"
	case "delete":
		if there == "" {
			return "no"
		}
		t.below(c.path, func(p string) { delete(t, p) })
		return "yes"
	case "chmod":
		if there == "" {
			return "no"
		}
		t[c.path] = there[:1] + c.mode
		return "yes"
	case "rename":
		if there == "" || t[c.other] != "" || !t.hasParentOf(c.other) {
			return "no"
		}
		t.below(c.path, func(p string) {
			t[c.other+strings.TrimPrefix(p, c.path)] = t[p]
			delete(t, p)
		})
		return "yes"
	case "stat":
		return t.stat(c.path)
	case "list":
		return t.list(c.path)
	}
	panic("no such operation: " + c.operation)
}

// step says whether the answer is right in this state, and what the state is then. A state is one
// tree or several, where it is not known which of them there is.
func step(state, input, output interface{}) (bool, interface{}) {
	c := input.(call)
	after := map[string]bool{}
	for _, there := range strings.Split(state.(string), oneOf) {
		t := parse(there)
		answer := t.apply(c)
		if c.isRepeated {
			after[there] = true
		}
		if c.isRepeated || output == unknown || output == answer {
			after[t.state()] = true
		}
	}
	states := make([]string, 0, len(after))
	for there := range after {
		states = append(states, there)
	}
	sort.Strings(states)
	return len(states) > 0, strings.Join(states, oneOf)
}

func describe(input, output interface{}) string {
	c := input.(call)
	if c.isRepeated {
		return fmt.Sprintf("%s %s %s %s once more?", c.operation, c.path, c.other, c.mode)
	}
	return fmt.Sprintf("%s %s %s %s -> %s", c.operation, c.path, c.other, c.mode, output)
}
