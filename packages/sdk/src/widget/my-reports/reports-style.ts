/** Added to the style of the panel, or of the page. */
export const REPORTS_STYLE: string = `
.frame{--line:color-mix(in srgb,var(--fg) 14%,var(--bg));--good:#15803d}
.dark{--good:#4ade80}
.launcher{overflow:visible}
.launcher:not([popover]){position:relative}
.badge{min-width:1.6em;padding:0 .4em;border-radius:1em;background:var(--bad);color:var(--bg);font-size:.8em;line-height:1.6;text-align:center}
.launcher .badge{position:absolute;top:-.5em;inset-inline-end:-.3em;box-shadow:0 0 0 2px var(--bg)}
.opener{white-space:nowrap}
.opener,.mine :is(p,.facts,.link) button{min-height:2.2em;padding:0 .8em;color:var(--fg);font-size:.92em;font-weight:500}
.mine,.pane,.conversation{flex:1;display:flex;flex-direction:column;min-width:0;min-height:0}
.mine{gap:.8em;min-height:26em;padding-top:1.1em}
.mine :is(h1,h2,ul b){display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:anywhere}
.back::before{clip-path:path("M13 3l1 1-6 6 6 6-1 1-7-7z")}
.back:dir(rtl)::before{scale:-1 1}
.facts{display:flex;flex-wrap:wrap;align-items:center;gap:.2em .8em;color:var(--muted);font-size:.85em}
.mine>.facts{padding:0 1.47em;margin-top:-.4em}
.mine div:empty{display:none}
.status{display:flex;align-items:center;gap:.4em;color:var(--fg);font-weight:500}
.status::before{content:"";padding:.3em;border-radius:50%;background:var(--muted)}
.in_progress::before{background:var(--accent)}
.resolved::before{background:var(--good)}
.mine p{display:flex;align-items:center;justify-content:space-between;gap:.8em}
.pane{overflow:auto;padding:3px 1.25em 1.1em}
.mine :is(ul,ol){display:grid;gap:.5em;margin:0;padding:0;list-style:none}
.mine ul button{display:grid;justify-content:start;justify-items:start;gap:.25em;width:100%;padding:.7em .85em;text-align:start;font-weight:400;background-color:var(--bg);border-color:var(--line)}
.mine b{color:var(--fg)}
.mine ul b{font-weight:500}
.mine ul .unread{border-color:var(--accent)}
.mine .unread b,.new{font-weight:700}
.new{color:var(--accent);font-size:.85em}
.empty,.hint{padding:1em;color:var(--muted);text-align:center}
.empty{display:grid;gap:.4em;margin:auto}
.link{display:flex;flex-wrap:wrap;gap:.6em;align-items:center;margin-top:1.1em;padding-top:.9em;border-top:1px solid var(--line);color:var(--muted);font-size:.85em;overflow-wrap:anywhere}
.link a{color:var(--accent)}
.log{flex:1;overflow:auto;padding:.3em 1.25em .8em;outline-offset:-2px}
.mine ol{gap:.9em}
.log li{display:grid;gap:.2em;justify-items:start;max-width:88%}
.log .reporter{margin-inline-start:auto;justify-items:end}
.text{max-width:100%;padding:.55em .8em;border-radius:var(--r);background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere}
.reporter .text{background:color-mix(in srgb,var(--accent) 14%,var(--bg))}
.log .reporter .facts{justify-content:end}
.conversation form{flex:none;display:grid;grid-template-columns:1fr auto;align-items:end;gap:.6em;padding:.8em 1.25em calc(1.1em + env(safe-area-inset-bottom));border-top:1px solid var(--line)}
.conversation textarea{max-height:9em;field-sizing:content}
.problem{grid-column:1/-1;color:var(--bad)}
@media(max-width:30em){.mine{height:86dvh}}
`
