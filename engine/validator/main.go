//go:build js && wasm

// The validator that the dashboard runs in the browser: the configuration reader of Xray itself, compiled to WebAssembly.
package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"syscall/js"

	"github.com/xtls/xray-core/common/platform/filesystem"
	"github.com/xtls/xray-core/infra/conf/serial"
)

func main() {
	js.Global().Set("validateXrayConfig", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 1 || args[0].Type() != js.TypeString {
			return "validateXrayConfig takes one argument, the text of the configuration."
		}
		if problem := validate(args[0].String()); problem != "" {
			return problem
		}
		return nil
	}))
	// The page calls the function for as long as it lives.
	select {}
}

// validate answers what Xray would refuse about the configuration, or nothing.
func validate(text string) (problem string) {
	// Some builders of Xray panic on values that nobody tried; the page must survive that.
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("Xray cannot read this configuration: %v", r)
		}
	}()
	filesystem.NewFileReader = func(path string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(standIn(path, text))), nil
	}
	config, err := serial.DecodeJSONConfig(strings.NewReader(text))
	if err == nil {
		_, err = config.Build()
	}
	if err == nil {
		return ""
	}
	return readable(err.Error())
}

var listName = regexp.MustCompile(`(?i)"(?:geoip|geosite|ext|ext-ip|ext-domain|ext-site):(?:[^":]*:)?!?([^"@:]+)`)

// standIn is the content of a file of the node, which the browser does not have. Lists of addresses and domains get an empty
// entry for every name the configuration uses, so that the rules around them are still checked; whether the node's real list
// has that name is only known there. Certificates and keys are empty.
func standIn(path, config string) string {
	if !strings.HasSuffix(path, ".dat") && !strings.Contains(config, "ext") {
		return ""
	}
	var list strings.Builder
	for _, match := range listName.FindAllStringSubmatch(config, -1) {
		name := strings.ToUpper(match[1])
		if len(name) > 100 {
			continue // one byte each for the lengths below
		}
		// protobuf: field 1 of the list (an entry) holding field 1 of the entry (its name)
		list.WriteByte(0x0a)
		list.WriteByte(byte(len(name) + 2))
		list.WriteByte(0x0a)
		list.WriteByte(byte(len(name)))
		list.WriteString(name)
	}
	return list.String()
}

var packagePath = regexp.MustCompile(`(^|> )(?:[a-z0-9_]+/)+[a-z0-9_]+: `)

// readable drops the names of Go packages that Xray puts before each part of a message.
func readable(message string) string {
	return strings.ReplaceAll(packagePath.ReplaceAllString(message, "$1"), " > ", ": ")
}
