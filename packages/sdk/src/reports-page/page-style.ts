/** Added to the styles of the widget and of "My reports". */
export const PAGE_STYLE: string = `
body{margin:0}
.frame{box-sizing:border-box;display:flex;flex-direction:column;align-items:center;height:100dvh;background:var(--soft);font-size:1em}
main{flex:1;display:flex;width:100%;max-width:44em;min-height:0;background:var(--bg)}
main .mine{min-height:0;height:auto;padding-top:1.4em}
h1{flex:1;margin:0;color:var(--fg);font-size:1.35em}
footer{padding:.9em 1.25em;color:var(--muted);font-size:.85em;text-align:center}
@media(min-width:46em){
.frame{padding-top:2em}
main{flex:0 1 44em;border:1px solid var(--line);border-radius:var(--r)}
}
`
