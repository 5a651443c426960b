import type {
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from '../../openapi/openapi-document.ts'
import { jsonBlock } from '../code.ts'
import { type Fragment, type Html, html } from '../page.ts'
import { paragraphs, prose } from '../prose.ts'
import { methodTag, statusTag } from './badges.ts'
import { renderAnswerMembers, renderParameters, renderRequestMembers } from './reference-members.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** An operation with its address. */
export interface PlacedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

/** One operation, as a section of the reference. */
export function renderOperation({ method, path, operation }: PlacedOperation, schemas: Schemas): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const isProblem = ([, { content }]: [string, ResponseObject]) => content?.[PROBLEM] !== undefined
  const answers = Object.entries(responses).filter((entry) => !isProblem(entry))
  const problems = Object.entries(responses).filter(isProblem)
  return html`<section aria-labelledby="${operationId}">
<h3 id="${operationId}"><a href="#${operationId}">${summary}</a></h3>
<p class="path">${methodTag(method)} <code>${path}</code></p>
${paragraphs(description)}
${parameters && html`<h4>Parameters</h4>\n${renderParameters(parameters)}`}
${requestBody && renderBody(requestBody, schemas)}
<h4>Responses</h4>
${answers.map(([status, answer]) => renderAnswer(status, answer, schemas))}
<h4>Problems</h4>
<ul class="plain problems">
${problems.map(([status, answer]) => renderProblemCodes(status, answer))}</ul>
</section>
`
}

const PROBLEM = 'application/problem+json'

function renderBody({ content }: RequestBodyObject, schemas: Schemas): Html {
  return html`<h4>Body</h4>
${Object.entries(content).map(([type, media], index) =>
  index === 0
    ? html`<p class="note">As <code>${type}</code>.</p>\n${renderRequest(media, schemas)}`
    : html`<details>\n<summary>Or as <code>${type}</code></summary>\n${renderRequest(media, schemas)}\n</details>`,
)}`
}

function renderRequest({ schema, example }: MediaTypeObject, schemas: Schemas): Html {
  if (example === undefined) return html`<p>The bytes themselves, of any type.</p>`
  return html`${renderRequestMembers(schema.contentSchema ?? schema, schemas)}
${jsonBlock(typeof example === 'string' ? JSON.parse(example) : example)}`
}

function renderAnswer(
  status: string,
  { description, headers, content }: ResponseObject,
  schemas: Schemas,
): Html {
  const json = content?.['application/json']
  return html`<div class="answer">
<p>${statusTag(status)} ${prose(description)}</p>
${renderHeaders(headers)}
${json && renderJsonAnswer(json, schemas)}
</div>
`
}

function renderHeaders(headers: ResponseObject['headers']): Fragment {
  // Referenced headers are on every response and are in the introduction.
  const own = Object.entries(headers).filter(
    (entry): entry is [string, HeaderObject] => !isReference(entry[1]),
  )
  if (own.length === 0) return undefined
  return html`<ul class="plain">
${own.map(([name, { description }]) => html`<li>Header <code>${name}</code>: ${prose(description)}</li>\n`)}</ul>`
}

function isReference(header: HeaderObject | Reference): header is Reference {
  return '$ref' in header
}

function renderJsonAnswer({ schema, example }: MediaTypeObject, schemas: Schemas): Html {
  return html`<details open>
<summary>Example</summary>
${jsonBlock(example)}
</details>
<details>
<summary>Fields</summary>
${renderAnswerMembers(schema, schemas)}
</details>`
}

function renderProblemCodes(status: string, { content }: ResponseObject): Html {
  const codes = Object.keys(content?.[PROBLEM]?.examples ?? {})
  return html`<li>${statusTag(status)} <span class="codes">${codes.map(
    (code) => html`<a href="/problems/${code}">${code}</a> `,
  )}</span></li>
`
}
