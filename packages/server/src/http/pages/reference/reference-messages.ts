import type { OpenApiDocument, RequestBodyObject } from '../../openapi/openapi-document.ts'
import { jsonBlock } from '../code.ts'
import { type Html, html } from '../page.ts'
import { paragraphs, prose } from '../prose.ts'
import { table } from '../table.ts'
import { renderAnswerMembers } from './reference-members.ts'

/** Messages to webhooks: every type, then the fields of each kind of body. */
export function renderMessages({ webhooks, components, tags }: OpenApiDocument): Html {
  const messages = Object.entries(webhooks).flatMap(([type, item]) =>
    Object.values(item).map((operation) => ({ type, ...operation })),
  )
  const names = new Set(messages.flatMap((message) => message.tags))
  const bodies = Map.groupBy(messages, ({ requestBody }) => bodyOf(requestBody)?.schema.$ref ?? '')
  return html`<h2 id="messages">Messages to webhooks</h2>
${tags.filter(({ name }) => names.has(name)).map(({ description }) => paragraphs(description))}
${table({
  caption: 'Types of messages',
  headings: ['Type', 'When it is sent'],
  rows: messages.map(({ type, description }) => [html`<code>${type}</code>`, prose(description)]),
})}
${[...bodies].map(([reference, [first]]) => {
  const body = bodyOf(first?.requestBody)
  return html`<h3>${reference.slice(reference.lastIndexOf('/') + 1)}</h3>
${body && renderAnswerMembers(body.schema, components.schemas)}
${body && jsonBlock(body.example)}
`
})}`
}

function bodyOf(body: RequestBodyObject | undefined) {
  return body?.content['application/json']
}
