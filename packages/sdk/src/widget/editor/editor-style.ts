/** Added to the style of the widget while the editor is open. It is dark on every page, so that the image stands out. */
export const EDITOR_STYLE: string = `
.frame>.editor{inset:0!important;width:100%;height:100%;max-width:none;max-height:none;flex-direction:column;border:0;border-radius:0;background:#15171c;color:#f2f3f5;color-scheme:dark;--soft:#0000;font-size:1em}
.editor::backdrop{background:#000b}
.editor :focus-visible{outline-color:#fff}
.editor .bar{display:flex;flex-wrap:wrap;align-items:center;gap:.5em;padding:.6em 1em;padding-bottom:max(.6em,env(safe-area-inset-bottom));background:#22252d}
.editor h2{flex:none;font-size:1em}
.editor .tools{display:flex;flex-wrap:wrap;flex:1;justify-content:center;gap:.15em}
.editor button{min-height:2.5em;padding:0 .75em;font-size:.9em;font-weight:500}
.editor button[aria-pressed=true]{background:#f2f3f5;color:#15171c}
.editor button[aria-disabled=true]{opacity:.45;cursor:default}
.editor .tools>:last-child{margin-inline-start:.75em}
.editor .bar>button{padding:0 1.2em;font-weight:600}
.editor svg{width:1.25em;height:1.25em;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.editor .solid svg{fill:currentColor}
.editor .note{padding:.5em 1.1em;background:#5a4300;color:#ffe9b0;font-size:.9em}
.editor .note:empty{display:none}
.editor .stage{position:relative;flex:1;min-height:0;margin:1.5em}
.editor canvas{position:absolute;touch-action:none;cursor:crosshair;border-radius:4px;box-shadow:0 2px 24px #000a}
.editor canvas:focus-visible{outline:2px solid #fff;outline-offset:3px}
.editor .entry{position:absolute;width:auto;min-height:0;min-width:6em;padding:0 .1em;border:1px dashed #e5243b;border-radius:2px;background:#fffd;color:#e5243b;color-scheme:light;font-weight:bold}
.editor .pointer{position:absolute;width:25px;height:25px;margin:-12px 0 0 -12px;pointer-events:none;background:linear-gradient(#fff,#fff) 50%/3px 100% no-repeat,linear-gradient(#fff,#fff) 50%/100% 3px no-repeat;filter:drop-shadow(0 0 1px #000) drop-shadow(0 0 1px #000)}
.editor .said{position:absolute;clip-path:inset(50%)}
@media(max-width:40em){.editor h2{position:absolute;clip-path:inset(50%)}.editor .tools b{position:absolute;clip-path:inset(50%)}.editor .tools button{flex:1}.editor .stage{margin:.5em}.editor .tools{flex:1 0 100%}.editor .bar .main,.editor .bar>button{flex:1}}
.editor b{font-weight:inherit}
`
