package snapshot_test

import "testing"

// R92: a control without any role that takes the focus and has the class of a
// component for choosing takes a choice; what only looks like one does not.
func TestR92DrawnChoices(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{"/drawn": `<style>div{min-height:1em}</style>
		<div class=x-select><div class=x-box tabindex=0 aria-label=Plain>Pick</div></div>
		<div class=x-cascader tabindex=0 aria-label=Several><input tabindex=-1><i role=button tabindex=-1>x</i></div>
		<div class=nav-dropdown tabindex=0 aria-label=Menu>Products</div>
		<div class=x-select><div class=x-select-menu tabindex=0 aria-label=Open>a</div></div>
		<div class=x-select tabindex=0 aria-label=Holder><input role=combobox aria-label=Inner></div>
		<div class=x-select role=combobox aria-label=Outer tabindex=0><div tabindex=0 aria-label=Part>b</div></div>
		<div class="x-select x-datepicker" tabindex=0 aria-label=Dates>c</div>
		<div class=x-select aria-label=Unfocused>d</div>
		<div class=x-select tabindex=0 aria-label=Off aria-disabled=true>e</div>`})
	r.open("/drawn")
	out := r.snap("generation:1,mode:'full'")
	const choice = "click select_choice hover scroll drag"
	wantActions(t, &out, map[string]string{
		"Plain": choice, "Several": choice, "Menu": "", "Open": "", "Holder": "", "Outer": choice, "Part": "", "Dates": "", "Off": "",
	})
}
