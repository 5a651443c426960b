/** Added to the style of the panel. The list covers the fields below it, so that nothing moves when it appears. */
export const SUGGESTIONS_STYLE: string = `
.known{position:relative;margin-top:-.4em;font-size:.85em;color:var(--muted);--line:color-mix(in srgb,var(--fg) 14%,var(--bg))}
.known.off{visibility:hidden}
.known button{font-size:inherit}
.known>div{display:grid;align-items:start;justify-items:start}
.known>div>*{grid-area:1/1}
.known>div>div:has(+button){visibility:hidden}
.known>div button{min-height:0;padding:0;border:0;background:none;color:var(--accent)}
.known>div button::after{content:"";padding:.2em;border:solid;border-width:0 1.5px 1.5px 0;rotate:45deg;translate:0 -.15em}
.known>div [aria-expanded=true]::after{rotate:225deg;translate:0 .15em}
.known ul{position:absolute;z-index:1;inset:calc(100% + .2em) 0 auto;max-height:20em;margin:0;padding:0;overflow:auto;list-style:none;border:1px solid var(--line);border-radius:var(--r2);background:var(--bg);box-shadow:0 1px 4px var(--shade),0 8px 24px -8px var(--shade)}
.known li{display:grid;gap:.35em;justify-items:start;padding:.85em 1em 1em;overflow-wrap:anywhere}
.known li+li{border-top:1px solid var(--line)}
.known b{color:var(--fg);font-size:1.1em;font-weight:600}
.known li>div:not(.state){color:var(--fg);white-space:pre-wrap}
.state{display:flex;flex-wrap:wrap;align-items:center;gap:.2em .45em}
.state::before{content:"";padding:.3em;border-radius:50%;background:var(--muted)}
.state.in_progress::before{background:var(--accent)}
.state.resolved::before{background:light-dark(#15803d,#4ade80)}
.known li button{min-height:2.4em;margin-top:.35em;color:var(--fg)}
`
