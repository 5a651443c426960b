import type { OpenApiDocument } from '../../openapi/openapi-document.ts'
import { exampleOfProblem } from '../../openapi/openapi-problems.ts'
import { codeBlock, jsonBlock } from '../code.ts'
import { type Html, html } from '../page.ts'
import { prose } from '../prose.ts'
import { table } from '../table.ts'

/** How to send a first report from a shell. */
export function renderStart(publicUrl: string | null): Html {
  return html`<h2 id="start">First report</h2>
<p>You need a key of your project. The server prints the keys of its first project when it first starts; <code>npx bugle key create</code> creates others.</p>
${codeBlock({ text: FIRST_REPORT, lang: 'sh' }, publicUrl)}
<p>The response arrives once the report is on disk: <code>201</code> with the id and the number of the new issue. If the response gets lost, send the report again with the same <code>submissionId</code>: it is stored once.</p>`
}

/** Authentication, and the kinds of keys. */
export function renderAuthentication({ components }: OpenApiDocument): Html {
  const schemes = Object.values(components.securitySchemes)
  return html`<h2 id="authentication">Authentication</h2>
<p>Send a key with each request, as <code>Authorization: Bearer bgl_&hellip;</code>. A key belongs to a project, so a report does not name one. Public projects can be read without a key.</p>
${table({
  caption: 'Kinds of credentials',
  headings: ['Credential', 'What it is for'],
  rows: schemes.map((scheme) => [
    html`<code>${scheme.type === 'http' ? scheme.bearerFormat : scheme.name}</code>`,
    prose(scheme.description),
  ]),
})}
<p>Data of another project gets the same <code>404</code> as data that does not exist. Without a key, private and missing data both get <code>401</code>.</p>`
}

/** What all responses have in common, and what a problem looks like. */
export function renderAnswersInGeneral({ components }: OpenApiDocument): Html {
  return html`<h2 id="responses">Every response</h2>
${table({
  caption: 'Headers of every response',
  headings: ['Header', 'Meaning'],
  rows: Object.entries(components.headers).map(([name, { description }]) => [
    html`<code>${name}</code>`,
    prose(description),
  ]),
})}
<p>An error is <code>application/problem+json</code>. Branch on its <code>code</code>, and show its <code>detail</code> to people. The <code>type</code> is the path of a page that says <a href="/problems">what to do</a>.</p>
${jsonBlock(exampleOfProblem('validation-failed'))}`
}

const FIRST_REPORT = `export BUGLE_URL=http://127.0.0.1:4000
export BUGLE_KEY=bgl_pub_…

curl "$BUGLE_URL/v1/issues" \\
  -H "Authorization: Bearer $BUGLE_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "title": "Settings screen stays blank", "platform": "ios" }'`
