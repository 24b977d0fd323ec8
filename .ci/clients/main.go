// Calls every command of groma that reads as terraform-exec calls terraform's, and looks at what is returned.
// Arguments: the program, and a folder with a root, its state and a copy that is not laid out.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-exec/tfexec"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "terraform-exec:", err)
		os.Exit(1)
	}
}

func expect(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		fmt.Fprintf(os.Stderr, "%s: got %v, want %v\n", what, got, want)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	dir := os.Args[2]
	tf, err := tfexec.NewTerraform(dir, os.Args[1])
	must(err)

	version, _, err := tf.Version(ctx, true)
	must(err)
	expect("Version", version.String(), "1.11.4")
	must(tf.Init(ctx, tfexec.Backend(false), tfexec.Upgrade(true), tfexec.Reconfigure(true)))
	must(tf.Get(ctx))
	valid, err := tf.Validate(ctx)
	must(err)
	expect("Validate", valid.Valid, true)

	changes, err := tf.Plan(ctx, tfexec.Out("saved.plan"), tfexec.Lock(false), tfexec.Refresh(false))
	must(err)
	expect("Plan", changes, true)
	same, err := tf.Plan(ctx, tfexec.Var("release=7"), tfexec.Target("terraform_data.web"))
	must(err)
	expect("Plan without changes", same, false)
	_, err = tf.Plan(ctx, tfexec.Var("release=none"))
	expect("Plan of a wrong value fails", err != nil, true)

	plan, err := tf.ShowPlanFile(ctx, "saved.plan")
	must(err)
	actions := map[string]string{}
	for _, one := range plan.ResourceChanges {
		actions[one.Address] = fmt.Sprint(one.Change.Actions)
	}
	expect("ShowPlanFile", actions, map[string]string{
		"module.net.terraform_data.in": "[no-op]",
		"terraform_data.new":           "[create]",
		"terraform_data.old":           "[delete]",
		"terraform_data.web":           "[update]",
	})
	expect("ShowPlanFile, an output", fmt.Sprint(plan.OutputChanges["release"].After), "8")
	text, err := tf.ShowPlanFileRaw(ctx, "saved.plan")
	must(err)
	for _, line := range []string{
		"Terraform will perform the following actions:",
		"  # terraform_data.old will be destroyed",
		"Plan: 1 to add, 1 to change, 1 to destroy.",
	} {
		expect("ShowPlanFileRaw has "+line, strings.Contains(text, line+"\n"), true)
	}
	var events bytes.Buffer
	_, err = tf.PlanJSON(ctx, &events)
	must(err)
	var document struct {
		Changes []any `json:"resource_changes"`
	}
	must(json.Unmarshal(events.Bytes(), &document))
	expect("PlanJSON is one document", len(document.Changes), 4)

	state, err := tf.Show(ctx)
	must(err)
	expect("Show, resources", len(state.Values.RootModule.Resources), 2)
	expect("Show, modules", state.Values.RootModule.ChildModules[0].Address, "module.net")
	expect("Show, an output", fmt.Sprint(state.Values.Outputs["release"].Value), "7")
	web := state.Values.RootModule.Resources[1]
	expect("Show, an address", web.Address, "terraform_data.web")
	expect("Show, a value", fmt.Sprint(web.AttributeValues["input"]), "map[release:7 token:t]")
	expect("Show, what is sensitive", string(web.SensitiveValues), `{"input":{"token":true}}`)
	file, err := tf.ShowStateFile(ctx, filepath.Join(dir, "terraform.tfstate"))
	must(err)
	expect("ShowStateFile", file.Values.RootModule.Resources[0].Address, "terraform_data.old")

	outputs, err := tf.Output(ctx)
	must(err)
	expect("Output", string(outputs["release"].Value), "8")
	schemas, err := tf.ProvidersSchema(ctx)
	must(err)
	data := schemas.Schemas["terraform.io/builtin/terraform"].ResourceSchemas["terraform_data"]
	expect("ProvidersSchema", data.Block.Attributes["output"].Computed, true)
	functions, err := tf.MetadataFunctions(ctx)
	must(err)
	expect("MetadataFunctions", functions.Signatures["join"].Parameters[0].Name, "separator")

	all, selected, err := tf.WorkspaceList(ctx)
	must(err)
	expect("WorkspaceList", all, []string{"default", "live"})
	expect("WorkspaceList, the selected one", selected, "default")
	shown, err := tf.WorkspaceShow(ctx)
	must(err)
	expect("WorkspaceShow", shown, "default")

	formatted, err := tf.FormatString(ctx, "a=1\n")
	must(err)
	expect("FormatString", formatted, "a = 1\n")
	var out bytes.Buffer
	must(tf.Format(ctx, strings.NewReader("b=2\n"), &out))
	expect("Format", out.String(), "b = 2\n")
	well, files, err := tf.FormatCheck(ctx)
	must(err)
	expect("FormatCheck", well, false)
	expect("FormatCheck, files", files, []string{"crooked.tf"})
	graph, err := tf.Graph(ctx)
	must(err)
	expect("Graph", strings.Contains(graph, "terraform_data.web"), true)

	for name, err := range map[string]error{
		"Apply":           tf.Apply(ctx),
		"Destroy":         tf.Destroy(ctx),
		"Import":          tf.Import(ctx, "terraform_data.web", "x"),
		"Refresh":         tf.Refresh(ctx),
		"StateRm":         tf.StateRm(ctx, "terraform_data.web"),
		"WorkspaceNew":    tf.WorkspaceNew(ctx, "other"),
		"WorkspaceSelect": tf.WorkspaceSelect(ctx, "live"),
	} {
		expect(name+" is refused", err != nil, true)
	}
	fmt.Println("terraform-exec: every call that reads answers, and every other is refused")
}
