// Go's regexp, as other_language.py asks it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println(strings.TrimPrefix(runtime.Version(), "go"))
		return
	}
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var expression *regexp.Regexp
	for {
		var told, answer any
		if input.Decode(&told) != nil {
			return
		}
		if line, is := told.(string); is {
			answer = append([][]int{}, expression.FindAllStringIndex(line, -1)...)
		} else {
			var err error
			pattern := told.([]any)
			flags := map[any]string{false: "", true: "(?i)"}[pattern[1]]
			whole := flags + pattern[0].(string)
			if expression, err = regexp.Compile(whole); err != nil {
				answer = err.Error()
			} else if strings.Contains(whole, "(?i") && strings.Contains(strings.ToLower(whole), `\w`) {
				answer = "`\\w` is `[0-9A-Za-z_]`, where letters fold to ſ and K"
			}
		}
		output.Encode(answer)
	}
}
