/** The style of every page. It stands inline, so the pages load nothing; the policy names its hash. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --ink: #1c2026; --soft: #59616d;
  --link: #0a58a8; --brass: #8a5a06; --brass-tint: #fbf1dc;
  --green: #0f6b41; --green-tint: #e2f4ea; --blue: #0a58a8; --blue-tint: #e4eefa;
  --red: #a8281e; --red-tint: #fce9e7;
  --edge: max(clamp(1rem, 3vw, 2.5rem), (100% - 71rem) / 2);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #13161b; --panel: #1b1f26; --line: #2e343e; --ink: #e4e7ec; --soft: #a3abb8;
    --link: #82b8f7; --brass: #efb955; --brass-tint: #33280f;
    --green: #74d3a0; --green-tint: #122e20; --blue: #82b8f7; --blue-tint: #152a42;
    --red: #ff9b90; --red-tint: #3a1a17;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
a { color: var(--link); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--page); z-index: 1; }
.skip:focus { left: 0; }

.bar {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 2rem;
  padding: 0.9rem var(--edge); border-bottom: 1px solid var(--line);
}
.bar nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
.bar a { color: var(--soft); text-decoration: none; }
.bar a:hover { color: var(--ink); text-decoration: underline; }
.bar a[aria-current] { color: var(--ink); font-weight: 600; }
.bar .brand { color: var(--brass); font-size: 1.2rem; font-weight: 700; letter-spacing: -0.01em; }

.column, .columns { padding: 0 var(--edge); }
.column main { max-width: 54rem; }
main { min-width: 0; padding: 1rem 0 6rem; }
.contents { padding-top: 1.25rem; font-size: 0.9rem; columns: 2 9rem; column-gap: 1.5rem; }
.contents ul { list-style: none; margin: 0 0 1rem; padding: 0; break-inside: avoid; }
.contents li { margin: 0; }
.contents a { display: block; padding: 0.2rem 0; color: var(--soft); text-decoration: none; }
.contents a:hover { color: var(--ink); text-decoration: underline; }
.contents .group > a { color: var(--ink); font-weight: 600; }
@media (min-width: 64rem) {
  .columns {
    display: grid; grid-template-columns: 13rem minmax(0, 54rem); gap: 4rem;
  }
  .contents {
    columns: auto; position: sticky; top: 0; align-self: start; max-height: 100vh;
    overflow-y: auto; padding-bottom: 2rem;
  }
}

h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h1 { font-size: clamp(1.7rem, 5vw, 2.3rem); margin: 1.5rem 0 1rem; }
h2 { font-size: 1.5rem; margin: 4rem 0 0.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.column h2 { font-size: 1.2rem; margin: 2.5rem 0 0.75rem; padding: 0; border: 0; }
h3 { font-size: 1.2rem; margin: 3rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 2rem 0 0.5rem; }
p { margin: 0.6rem 0; max-width: 44rem; }
.lead { font-size: 1.15rem; color: var(--soft); }
.note { color: var(--soft); font-size: 0.9rem; }
section h3 a, h2 a { color: inherit; text-decoration: none; }
section h3 a:hover, h2 a:hover { text-decoration: underline; }

code, pre, .path { font-family: var(--mono); }
code { font-size: 0.875em; overflow-wrap: anywhere; }
p code, td code, li code, dd code {
  padding: 0.1em 0.25em; border-radius: 4px; background: var(--panel);
  -webkit-box-decoration-break: clone; box-decoration-break: clone;
}
pre {
  margin: 0.75rem 0; padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--panel); font-size: 0.85rem; line-height: 1.6;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
}
pre code { font-size: inherit; }
pre .name { color: var(--brass); }

.path {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.4rem 0.75rem; max-width: none;
  margin: 0.5rem 0 1rem; padding: 0.55rem 0.75rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--panel); overflow-wrap: anywhere;
}
.path code { padding: 0; background: none; font-size: 0.95rem; }
.tag, .status {
  display: inline-block; padding: 0.05rem 0.45rem; border-radius: 4px; font: 600 0.8rem/1.5 var(--mono);
  background: var(--panel); color: var(--ink);
}
.get, .s2 { background: var(--green-tint); color: var(--green); }
.post, .s3 { background: var(--blue-tint); color: var(--blue); }
.patch, .put, .s4 { background: var(--brass-tint); color: var(--brass); }
.delete, .s5 { background: var(--red-tint); color: var(--red); }
.flag { margin-left: 0.4rem; font-size: 0.8rem; color: var(--soft); white-space: nowrap; }
.required { color: var(--red); }
.within { color: var(--soft); }

.plain { list-style: none; margin: 0.5rem 0; padding: 0; }
.problems li {
  display: grid; grid-template-columns: 3.25rem 1fr; align-items: baseline; justify-items: start;
  margin: 0.4rem 0;
}
.problems .codes { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; font: 0.875rem/1.6 var(--mono); }
.origins li { margin: 0.4rem 0; }
.origins code { margin: 0 0.5rem; }
.answer { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.answer > p:first-child { margin-top: 0; }
details { margin: 0.5rem 0; }
summary { width: fit-content; padding: 0.2rem 0; color: var(--link); cursor: pointer; }
summary:hover { text-decoration: underline; text-underline-offset: 0.2em; }

table { width: 100%; margin: 0.75rem 0; border-collapse: collapse; font-size: 0.925rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: 0.55rem 1rem 0.55rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: 0.85rem; }
tbody th { font-weight: 400; }
tbody th code { font-weight: 600; }
.limits { color: var(--soft); }
.limits code { color: var(--ink); }
@media (min-width: 44.001rem) {
  .members th:first-child { width: 26%; }
  .members td:nth-child(2) { width: 29%; }
  .limits { display: block; }
}
@media (max-width: 44rem) {
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { padding: 0.1rem 0; border: 0; }
  .limits::before { content: "· "; }
}
.guide h2 { font-size: 1.35rem; margin: 2.75rem 0 0.6rem; padding: 0; border: 0; }
.guide h3 { font-size: 1.1rem; margin: 2rem 0 0.4rem; }
.guide h3 a { color: inherit; text-decoration: none; }
.guide h3 a:hover { text-decoration: underline; }
.guide li { margin: 0.3rem 0; max-width: 44rem; }
.guide ul, .guide ol { margin: 0.6rem 0; padding-left: 1.5rem; }
.guide blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.guides .group { color: var(--ink); font-weight: 600; padding: 0.2rem 0; }
.guides .here > a { color: var(--ink); font-weight: 600; }
.guides .here ul { margin: 0 0 0.5rem; padding-left: 0.75rem; border-left: 2px solid var(--line); break-inside: auto; }
@media (max-width: 63.999rem) {
  .guides { columns: auto; padding-top: 0.5rem; }
  .guides .elsewhere { display: none; }
  .guides > ul { margin: 0; }
}
@media (max-width: 44rem) {
  .guide tbody th { font-weight: 600; }
  .labelled td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-size: 0.85em; }
  .labelled td[data-label=""]::before { content: none; }
}
@media print {
  .contents, .bar nav, .skip { display: none; }
}
`
