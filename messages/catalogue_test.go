package messages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// codeConstants reads the constants of type Code out of the source, so that one
// that was forgotten in the catalogue cannot hide.
func codeConstants(t *testing.T) map[string]Code {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "catalogue.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Code{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Code" {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		out[spec.Names[0].Name] = Code(text)
		return true
	})
	return out
}

// R209, R210, R212: every code has one entry, with a class and a sentence.
func TestR212_CatalogueIsComplete(t *testing.T) {
	constants := codeConstants(t)
	if len(constants) != len(catalogue) {
		t.Errorf("%d constants, %d entries", len(constants), len(catalogue))
	}
	seen := map[Code]bool{}
	for name, code := range constants {
		if seen[code] {
			t.Errorf("%s: the code %s stands twice", name, code)
		}
		seen[code] = true
		info, ok := catalogue[code]
		if !ok || info.Class == "" || !strings.HasSuffix(info.Meaning, ".") {
			t.Errorf("%s (%s) has no class or no sentence in the catalogue", name, code)
		}
		if code.Canonical() != code {
			t.Errorf("%s is a constant and an alias", code)
		}
	}
}

// Part 6: the aliases lead to codes that exist.
func TestR212_Aliases(t *testing.T) {
	for alias, canonical := range aliases {
		if _, ok := catalogue[canonical]; !ok {
			t.Errorf("%s leads to %s, which is not in the catalogue", alias, canonical)
		}
		if _, ok := catalogue[alias]; ok {
			t.Errorf("%s is an alias and a code", alias)
		}
	}
	for alias, want := range map[Code]Code{
		"stale_element": CodeSnapshotStale, "stale_reference": CodeSnapshotStale, "stale_browser": CodeBrowserNotFound,
		"tab_unavailable": CodeStalePage, "unsupported_scheme": CodeUnsupportedURLScheme, "invalid_request": CodeInvalidRequest,
	} {
		if got := alias.Canonical(); got != want {
			t.Errorf("%s leads to %s, want %s", alias, got, want)
		}
	}
}

// Every code that the documents name (Part 6, R209, R211) is one of ours or an alias.
func TestPart6_EveryNamedCodeIsKnown(t *testing.T) {
	const named = `browser_not_found browser_ambiguous browser_engine_unavailable browser_protocol_error browser_wait_timeout
browser_invalid_request browser_io_error snapshot_stale snapshot_missing ref_detached ref_changed ref_ambiguous ref_malformed
browser_read_only_presentation browser_unavailable browser_limit page_limit profile_create_failed launch_failed launch_timeout
cdp_endpoint_invalid runner_shutting_down browser_reaper_unavailable stale_browser stale_page browser_shutdown_failed stale_element
element_action_unsupported element_not_actionable element_not_select option_not_found option_ambiguous option_disabled control_disabled
element_not_value_control unsupported_value_control invalid_control_value form_control_rejected form_control_script_failed
form_control_result_invalid form_control_outcome_unknown widget_not_supported widget_bounds_exceeded widget_timeout date_not_found
frame_document_unavailable invalid_request invalid_text invalid_option invalid_value invalid_batch_count invalid_batch_value batch_deadline
invalid_url unsupported_url_scheme invalid_diagnostics_cursor invalid_image image_too_large invalid_image_dimensions invalid_upload_path
upload_project_unavailable upload_project_denied upload_file_unavailable upload_path_escape upload_sensitive_path upload_file_invalid
upload_file_too_large upload_path_unrepresentable cdp_connect_failed cdp_timeout cdp_list_failed cdp_list_too_large cdp_error cdp_send_failed
cdp_closed cdp_delivery_uncertain cdp_receive_timeout cdp_effect_error cdp_receive_uncertain partial_effect_outcome_unknown
create_page_result_invalid page_create_reconcile_failed page_create_unobserved browser_bridge_unavailable stale_attachment
browser_bridge_capacity browser_bridge_timeout external_browser_ownership browser_surface_unavailable invalid_profile profile_busy
browser_state_unavailable browser_bridge_delivery_uncertain browser_bridge_outcome_unknown browser_bridge_operation_failed stale_reference
taken_over no_grant unknown_outcome unsupported_scheme tab_unavailable invalid_arguments busy cancelled dialog_open element_covered
operation_id_spent operation_id_required operation_ledger_full unknown_argument`
	for name := range strings.FieldsSeq(named) {
		if _, ok := catalogue[Code(name).Canonical()]; !ok {
			t.Errorf("%s is not known", name)
		}
	}
}
