/** Added to the style of the panel. Has also what only makes it more pleasant, because the widget's own style must stay small. */
export const ATTACH_STYLE: string = `
.attach{display:grid;gap:.6em}
summary{text-wrap:pretty}
[open]>summary::after{rotate:225deg}
.attach>.buttons{display:flex;flex-wrap:wrap;gap:.5em}
.attach .buttons button{flex:1 1 auto;min-height:2.3em;padding:0 .8em;font-size:.92em;font-weight:500}
.attach svg{width:1.15em;height:1.15em;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.attach ul{display:grid;gap:.4em;margin:0;padding:0;list-style:none}
.attach ul:empty,.attach .note:empty{display:none}
.attach li{display:flex;align-items:center;gap:.5em;padding:.4em;border-radius:var(--r2);border:1px solid color-mix(in srgb,var(--fg) 16%,var(--bg))}
.tick{display:flex;flex:1;align-items:center;gap:.6em;min-width:0;cursor:pointer}
.tick input{flex:none;width:1.15em;height:1.15em;min-height:0;margin:.2em;padding:0;accent-color:var(--accent)}
.tick span{flex:1;min-width:0;margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:400}
.tick small{display:block;color:var(--muted);font-size:.9em}
.trail span{white-space:normal}
.tick canvas{flex:none;width:5em;height:3.5em;border-radius:calc(var(--r2)*.6);background:var(--bg);outline:1px solid #8883}
.pixels canvas{cursor:zoom-in}
.tick input:not(:checked)~canvas{opacity:.4}
.attach li .tick input:not(:checked)~span{text-decoration:line-through}
.attach li button{min-height:2.1em;padding:0 .7em;font-size:.9em;font-weight:500}
.attach li .cross{margin:0;padding:.3em}
.attach .note{padding:.5em .7em;border-radius:var(--r2);background:color-mix(in srgb,var(--bad) 10%,var(--bg));color:var(--bad);font-size:.9em}
.attach .note.warning{background:var(--soft);color:inherit}
.over{outline:2px dashed var(--accent);outline-offset:-6px;border-radius:var(--r)}
.away>*{visibility:hidden!important}
.end:not(:has(p div)) .mark,.sending .main{background:var(--soft);color:inherit}
.sending .main::before{content:"";padding:.4em;border:2px solid;border-inline-end-color:transparent;border-radius:50%}
@media(prefers-reduced-motion:no-preference){
.sending .main::before{animation:spin 1s linear infinite}
@keyframes spin{to{rotate:1turn}}
}
`
