import type { OpenApiDocument } from '../openapi-document.ts'
import { exampleOfProblem } from '../openapi-problems.ts'
import { codeBlock, jsonBlock } from './code.ts'
import { type Html, html } from './page.ts'
import { prose } from './prose.ts'
import { table } from './table.ts'

/** How to send a first report from a shell. */
export function renderStart(publicUrl: string | null): Html {
  return html`<h2 id="start">First report</h2>
<p>Take a key of your project. The server prints those of its first project when it starts for the first time; <code>npx bugle key create</code> makes others.</p>
${codeBlock({ text: FIRST_REPORT, lang: 'sh' }, publicUrl)}
<p>The answer comes once the report is on disk: <code>201</code> and the record of the new issue, with its number. To be safe against a lost answer, give the report a <code>submissionId</code> and send it again: it is stored once.</p>`
}

/** How a caller shows who it is, and the kinds of keys. */
export function renderAuthentication({ components }: OpenApiDocument): Html {
  const schemes = Object.values(components.securitySchemes)
  return html`<h2 id="authentication">Authentication</h2>
<p>Send a key with each request, as <code>Authorization: Bearer bgl_…</code>. A key belongs to a project, so a report needs no project of its own. Public projects can be read without a key.</p>
${table({
  caption: 'Kinds of credentials',
  headings: ['Credential', 'What it is for'],
  rows: schemes.map((scheme) => [
    html`<code>${scheme.type === 'http' ? scheme.bearerFormat : scheme.name}</code>`,
    prose(scheme.description),
  ]),
})}
<p>What belongs to another project answers <code>404</code>, in the same words as what does not exist. Without a key, what is private and what is missing both answer <code>401</code>.</p>`
}

/** What all answers have in common, and how a refusal looks. */
export function renderAnswersInGeneral({ components }: OpenApiDocument): Html {
  return html`<h2 id="answers">Every answer</h2>
${table({
  caption: 'Headers of every answer',
  headings: ['Header', 'Meaning'],
  rows: Object.entries(components.headers).map(([name, { description }]) => [
    html`<code>${name}</code>`,
    prose(description),
  ]),
})}
<p>A refusal is <code>application/problem+json</code>. Decide by its <code>code</code>; show its <code>detail</code>. The <code>type</code> is the address of a page that says <a href="/problems">what to do</a>.</p>
${jsonBlock(exampleOfProblem('validation-failed'))}`
}

const FIRST_REPORT = `export BUGLE_URL=http://127.0.0.1:4000
export BUGLE_KEY=bgl_pub_…

curl "$BUGLE_URL/v1/issues" \\
  -H "Authorization: Bearer $BUGLE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "title": "Settings screen stays blank", "platform": "ios" }'`
