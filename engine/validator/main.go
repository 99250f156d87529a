//go:build js && wasm

// The validator that the dashboard runs in the browser: Xray itself, compiled to WebAssembly, as far as `xray run -test` goes.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall/js"

	"github.com/xtls/xray-core/common/log"
	"github.com/xtls/xray-core/common/platform/filesystem"
	commonserial "github.com/xtls/xray-core/common/serial"
	"github.com/xtls/xray-core/core"
	"github.com/xtls/xray-core/infra/conf/serial"
	_ "github.com/xtls/xray-core/main/distro/all"
)

// silent takes what Xray would log: only the answer is wanted.
type silent struct{}

func (silent) Handle(log.Message) {}

func main() {
	log.RegisterHandler(silent{})
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
	err := try(text)
	log.RegisterHandler(silent{}) // an instance brings its own
	if err == nil {
		return ""
	}
	return readable(err.Error())
}

// try reads the configuration and makes an instance of it that is never started: what `xray run -test` does.
func try(text string) error {
	config, err := serial.DecodeJSONConfig(strings.NewReader(text))
	if err != nil {
		return err
	}
	if config.LogConfig != nil {
		// Files of the node, which the browser cannot open.
		config.LogConfig.AccessLog = "none"
		config.LogConfig.ErrorLog = "none"
	}
	built, err := config.Build()
	if err != nil {
		return err
	}
	built.App = slices.DeleteFunc(built.App, countsOnce)
	built.Inbound = slices.DeleteFunc(built.Inbound, opensDevice)
	instance, err := core.New(built)
	if err != nil {
		return err
	}
	return instance.Close()
}

// opensDevice says that merely making this inbound opens a network device of the node. Its settings have been read by then.
func opensDevice(inbound *core.InboundHandlerConfig) bool {
	return strings.HasPrefix(inbound.GetProxySettings().GetType(), "xray.proxy.tun.")
}

// countsOnce says that this part registers a name that a process may register once only. Its settings have been read by then.
func countsOnce(part *commonserial.TypedMessage) bool {
	return strings.HasPrefix(part.GetType(), "xray.app.metrics.")
}

var (
	listName  = regexp.MustCompile(`(?i)"(?:geoip|geosite|ext|ext-ip|ext-domain|ext-site):(?:[^":]*:)?!?([^"@:]+)`)
	attribute = regexp.MustCompile(`@!?([^"@:]+)`)
)

// standIn is the content of a file of the node, which the browser does not have. Lists of addresses and domains get an entry
// for every name the configuration uses, so that the rules around them are still checked; whether the node's real list has
// that name is only known there. Certificates and keys are empty.
func standIn(path, config string) string {
	if !strings.HasSuffix(path, ".dat") && !strings.Contains(config, "ext") {
		return ""
	}
	members := field(2, member) + field(2, member+attributesIn(config))
	var list strings.Builder
	for _, match := range listName.FindAllStringSubmatch(config, -1) {
		list.WriteString(field(1, field(1, strings.ToUpper(match[1]))+members))
	}
	return list.String()
}

// member is one of a list, whichever kind the list is of: an address (bytes 1: 10.0.0.1, number 2: 32 bits) and a domain
// (number 1: with what is below it, text 2: its name) in one message. A reader passes over what is not of its kind.
var member = field(1, "\x0a\x00\x00\x01") + "\x10\x20" + "\x08\x02" + field(2, "example")

// attributesIn are marks of the domain for every one that the configuration asks for: name 1, and true in 2.
func attributesIn(config string) string {
	var all strings.Builder
	for _, match := range attribute.FindAllStringSubmatch(config, -1) {
		all.WriteString(field(3, field(1, match[1])+"\x10\x01"))
	}
	return all.String()
}

// field is a text or a message in the form of protobuf.
func field(number int, content string) string {
	head := binary.AppendUvarint(nil, uint64(number<<3|2))
	return string(binary.AppendUvarint(head, uint64(len(content)))) + content
}

var packagePath = regexp.MustCompile(`(^|> )(?:[a-z0-9_]+/)+[a-z0-9_]+: `)

// readable drops the names of Go packages that Xray puts before each part of a message.
func readable(message string) string {
	return strings.ReplaceAll(packagePath.ReplaceAllString(message, "$1"), " > ", ": ")
}
