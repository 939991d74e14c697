// Checks with Porcupine whether histories of clients are linearizable.
//
// Reads lines of: history, thread, moment of the call, moment of the answer, operation, path, other
// path, mode, answer. Each history has a directory of its own, empty at first. An answer that is
// unknown never came: the operation took effect at any later moment, or not at all.
//
// With a number of milliseconds as second argument, calls that HDFS has clients repeat, as they do
// no harm twice (ClientProtocol's @Idempotent), may have taken effect twice if they lasted so long.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	unknown  = "unknown"
	oneOf    = "|"
	patience = 60 * time.Second
)

// Those of the operations that change something. HDFS and Acacia remember the others.
var idempotent = map[string]bool{"mkdir": true, "chmod": true}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	repeatedFrom := int64(math.MaxInt64)
	if len(os.Args) > 2 {
		ms, err := strconv.ParseInt(os.Args[2], 10, 32)
		if err != nil {
			log.Fatal(err)
		}
		repeatedFrom = ms * int64(time.Millisecond)
	}
	histories := map[string][]porcupine.Operation{}
	operations := 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var history, answer string
		var c call
		operation := porcupine.Operation{}
		_, err := fmt.Sscan(lines.Text(), &history, &operation.ClientId, &operation.Call, &operation.Return,
			&c.operation, &c.path, &c.other, &c.mode, &answer)
		if err != nil {
			log.Fatalf("not a line of a history: %q: %v", lines.Text(), err)
		}
		if answer == unknown {
			operation.Return = math.MaxInt64
		}
		operation.Input, operation.Output = c, answer
		histories[history] = append(histories[history], operation)
		if idempotent[c.operation] && operation.Return-operation.Call >= repeatedFrom {
			c.isRepeated = true
			operation.Input = c
			histories[history] = append(histories[history], operation)
		}
		operations++
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	wrong := 0
	for name, history := range histories {
		if !isLinearizable(name, history) {
			wrong++
		}
	}
	fmt.Printf("histories=%d operations=%d wrong=%d\n", len(histories), operations, wrong)
	if wrong > 0 || operations == 0 {
		os.Exit(1)
	}
}

func isLinearizable(name string, history []porcupine.Operation) bool {
	model := porcupine.Model{
		Init:              func() interface{} { return "" },
		Step:              step,
		DescribeOperation: describe,
		DescribeState:     func(state interface{}) string { return state.(string) },
	}
	if porcupine.CheckOperationsTimeout(model, history, patience) == porcupine.Ok {
		return true
	}
	result, info := porcupine.CheckOperationsVerbose(model, history, patience) // takes longer
	picture := os.Args[1] + "-" + strings.ReplaceAll(name, "/", "_") + ".html"
	if err := porcupine.VisualizePath(model, info, picture); err != nil {
		log.Print(err)
	}
	fmt.Printf("History %s is not linearizable: %s, see %s\n", name, result, picture)
	for _, operation := range history {
		fmt.Println(operation.ClientId, operation.Call, operation.Return, describe(operation.Input, operation.Output))
	}
	return false
}
