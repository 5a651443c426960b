/**
 * The style. `all` resets what the page's style would pass on. Sizes are in `em`, based on the browser's font size, because
 * pages change the size of `rem`. Pages set `--bugle-…`.
 */
export const STYLE: string = `
:host{all:initial!important;display:contents!important;color-scheme:inherit!important}
.frame{all:initial;display:contents;background:Canvas;color-scheme:inherit;font:.9375em/1.45 var(--bugle-font,system-ui,sans-serif);-webkit-user-select:text;color:var(--fg);--bg:var(--bugle-background,#fff);--fg:var(--bugle-text,#191d26);--accent:var(--bugle-accent,#3148c4);--on:var(--bugle-accent-text,#fff);--bad:#b91c1c;--shade:#0003;--r:var(--bugle-radius,12px);--r2:calc(var(--r)*.6);--muted:color-mix(in srgb,var(--fg) 72%,var(--bg));--soft:color-mix(in srgb,var(--fg) 6%,var(--bg))}
.light{color-scheme:light}
.dark{color-scheme:dark;--bg:var(--bugle-background,#1b1e24);--fg:var(--bugle-text,#e9ebf0);--accent:var(--bugle-accent,#93a5ff);--on:var(--bugle-accent-text,#10132a);--bad:#ff9090;--shade:#000a}
*{box-sizing:border-box}
button,input,textarea,select{font:inherit;color:inherit;min-height:2.6em;margin:0;border:1px solid transparent;border-radius:var(--r2)}
button{display:inline-flex;align-items:center;justify-content:center;gap:.5em;padding:0 1em;background:var(--soft);cursor:pointer}
button:hover{background-image:linear-gradient(#8883,#8883)}
button,h2{font-weight:600}
i,.cross::before{padding:10px;background:currentColor;clip-path:path("M10 1a9 9 0 0 0-8 13l-1 5 5-1A9 9 0 1 0 10 1m-1 4h2v7H9zm0 8.5h2v2H9z")}
.cross::before{content:"";clip-path:path("M5 4l5 5 5-5 1 1-5 5 5 5-1 1-5-5-5 5-1-1 5-5-5-5z")}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.launcher,.main,.mark{background:var(--accent);color:var(--on)}
.launcher[popover]{min-height:2.9em;min-width:2.9em;border-radius:calc(var(--r)*4)}
.launcher[aria-label]{padding:0}
.open .launcher[popover]{visibility:hidden}
[hidden],.none .launcher,:host([hidden]) .launcher{display:none!important}
[popover],dialog{position:fixed;inset-block:auto 1.25em;inset-inline:auto 1.25em;margin:0 0 env(safe-area-inset-bottom);box-shadow:0 1px 4px var(--shade),0 12px 40px -8px var(--shade)}
[class*=top-]>*{inset-block:1.25em auto}
[class*=-left]>*{right:auto;left:1.25em}
[class*=-right]>*{right:1.25em;left:auto}
dialog{display:none;width:25em;max-width:calc(100vw - 2.5em);max-height:calc(100dvh - 2.5em);padding:0;overflow:hidden;border:1px solid var(--soft);border-radius:var(--r);background:var(--bg);color:inherit}
dialog:is([open],:popover-open){display:flex}
form{flex:1;display:flex;flex-direction:column;gap:1em;min-width:0;padding:1.1em 0}
header,footer,summary{display:flex;gap:.7em;align-items:center}
header,footer{padding:0 1.25em}
h2{flex:1;margin:0;font-size:1.2em}
.cross{min-height:0;padding:.5em;margin:-.5em;background:none;color:var(--muted)}
.rows{display:grid;gap:.85em;overflow:auto;padding:0 1.25em 3px}
span{display:block;margin-bottom:.3em;font-size:.9em;font-weight:500}
label:has(:required) span::after{content:" *"/"";color:var(--bad)}
input,textarea,select{display:block;width:100%;padding:.5em .7em;border-color:color-mix(in srgb,var(--fg) 50%,var(--bg));background:var(--bg)}
:is(input,textarea,select):focus{border-color:var(--accent);outline-offset:-1px}
textarea{resize:vertical}
select{appearance:none}
label{position:relative}
label:has(select)::after{position:absolute;inset-inline-end:1em;bottom:1.15em;pointer-events:none}
label:has(select)::after,summary::after,.mark::after{content:"";padding:.2em;border:solid;border-width:0 1.5px 1.5px 0;rotate:45deg}
details{font-size:.85em;color:var(--muted)}
summary{cursor:pointer}
p{margin:0 1.25em;padding:.6em .8em;border-radius:var(--r2);background:var(--soft)}
p:empty,.sending p{position:absolute;clip-path:inset(50%)}
p div{color:var(--muted);font-weight:400}
.failed p{background:color-mix(in srgb,var(--bad) 10%,var(--bg));color:var(--bad)}
footer button{flex:1}
.mark,.done,.end header,.end .rows,.end .main{display:none}
.end .done,.end .mark{display:flex}
.mark{margin:.6em auto 0;padding:1em 1.4em 1.2em;border-radius:50%}
.mark::after{padding:.6em .3em;border-width:0 3px 3px 0}
.end p{padding:0 0 .6em;background:none;text-align:center;font-weight:600}
@media(max-height:27em){form{overflow:auto}.rows{overflow:visible}}
@media(max-width:30em){
dialog{inset:auto 0 0!important;width:auto;max-width:none;max-height:94dvh;margin:0;border-width:0;border-radius:var(--r) var(--r) 0 0;font-size:1.0667em}
dialog::backdrop{background:#0007}
footer{margin-bottom:env(safe-area-inset-bottom)}
}
@media(prefers-reduced-motion:no-preference){
dialog{animation:rise .2s}
@keyframes rise{from{opacity:0;translate:0 .8em}}
}
@media print{.frame>*{display:none}}
`
