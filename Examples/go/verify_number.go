// verify_number NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each
// step as it ends. It needs the standard library only. MODEMD_SOCKET names another socket.
//
//	go run verify_number.go NUMBER
//
// Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or
// modemd does not answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"unicode/utf8"
)

// The longest message that is read; those of this method have some kilobytes.
const messageLimit = 16 << 20

type call struct {
	Method     string            `json:"method"`
	Parameters map[string]string `json:"parameters"`
	More       bool              `json:"more"`
}

type reply struct {
	Error      string `json:"error"`
	Continues  bool   `json:"continues"`
	Parameters struct {
		Step *struct {
			Index        int     `json:"index"`
			Name         string  `json:"name"`
			Milliseconds float64 `json:"milliseconds"`
			Failure      string  `json:"failure"`
		} `json:"step"`
		Outcome *outcome `json:"outcome"`
	} `json:"parameters"`
}

type outcome struct {
	Result string `json:"result"`
	Text   string `json:"text"`
}

// splitMessages finds messages: JSON with a zero byte behind it, cut anywhere.
func splitMessages(data []byte, atEnd bool) (int, []byte, error) {
	if end := bytes.IndexByte(data, 0); end >= 0 {
		return end + 1, data[:end], nil
	}
	// What is left at the end is no whole message.
	return 0, nil, nil
}

func verify(socket, number string) (*outcome, error) {
	connection, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	defer connection.Close()
	request, err := json.Marshal(call{"org.modemd.Verify.Number", map[string]string{"number": number}, true})
	if err != nil {
		return nil, err
	}
	if _, err := connection.Write(append(request, 0)); err != nil {
		return nil, err
	}
	messages := bufio.NewScanner(connection)
	messages.Buffer(nil, messageLimit)
	messages.Split(splitMessages)
	for messages.Scan() {
		var answer reply
		if !utf8.Valid(messages.Bytes()) {
			return nil, errors.New("a message is not UTF-8")
		}
		if err := json.Unmarshal(messages.Bytes(), &answer); err != nil {
			return nil, err
		}
		if answer.Error != "" {
			return nil, fmt.Errorf("modemd refuses: %s", answer.Error)
		}
		if step := answer.Parameters.Step; step != nil {
			fmt.Printf("step %d: %s, %g ms %s\n", step.Index, step.Name, step.Milliseconds, step.Failure)
		}
		if answer.Parameters.Outcome != nil {
			return answer.Parameters.Outcome, nil
		}
		if !answer.Continues {
			return nil, errors.New("the last reply has no outcome")
		}
	}
	if err := messages.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("the connection ended before the outcome")
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: verify_number NUMBER, in international form, as in +447700900123")
		os.Exit(2)
	}
	socket := os.Getenv("MODEMD_SOCKET")
	if socket == "" {
		socket = "/run/modemd/org.modemd"
	}
	end, err := verify(socket, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%s: %s\n", end.Result, end.Text)
	if end.Result != "verified" {
		os.Exit(1)
	}
}
