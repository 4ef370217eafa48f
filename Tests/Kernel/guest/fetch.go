// Fetches a page without C's library, by a name that it resolves itself.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func main() {
	connection, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprint(connection, "GET / HTTP/1.0\r\n\r\n")
	io.Copy(os.Stdout, connection)
}
