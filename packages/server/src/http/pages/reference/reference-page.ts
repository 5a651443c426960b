import type { OpenApiDocument, TagObject } from '../../openapi/openapi-document.ts'
import { REFERENCE_PATH } from '../guides.ts'
import { type Html, html, type Page } from '../page.ts'
import { paragraphs, prose } from '../prose.ts'
import { renderAnswersInGeneral, renderAuthentication, renderStart } from './reference-introduction.ts'
import { renderMessages } from './reference-messages.ts'
import { type PlacedOperation, renderOperation } from './reference-operation.ts'
import { renderVocabulary, VOCABULARY_PARTS } from './reference-vocabulary.ts'

/** The human-readable API reference, generated from the OpenAPI document. */
export function renderReference(document: OpenApiDocument, publicUrl: string | null): Page {
  const { info, tags } = document
  const groups = tags
    .map((tag) => ({ tag, operations: operationsOf(tag, document) }))
    .filter(({ operations }) => operations.length > 0)
  return {
    title: `${info.title} API reference`,
    description: info.summary,
    current: REFERENCE_PATH,
    contents: renderContents(groups),
    main: html`<h1 id="introduction">${info.title} API</h1>
<p class="lead">${info.summary}</p>
${paragraphs(info.description)}
<p class="note">Version ${info.version}. Also as an <a href="/openapi.json">OpenAPI document</a>, for tools.</p>
${renderStart(publicUrl)}
${renderAuthentication(document)}
${renderAnswersInGeneral(document)}
${groups.map((group) => renderGroup(group, document))}
${renderMessages(document)}
<h2 id="vocabulary">Vocabulary</h2>
${renderVocabulary()}`,
  }
}

interface Group {
  readonly tag: TagObject
  readonly operations: readonly PlacedOperation[]
}

function operationsOf(tag: TagObject, { paths }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation }) => operation.tags.includes(tag.name))
}

function renderContents(groups: readonly Group[]): Html {
  return html`${linkList(
    ['introduction', 'Introduction'],
    [
      ['start', 'First report'],
      ['authentication', 'Authentication'],
      ['responses', 'Every response'],
    ],
  )}
${groups.map(({ tag, operations }) =>
  linkList(
    [`tag-${tag.name}`, titleOf(tag)],
    operations.map(({ operation }) => [operation.operationId, operation.summary]),
  ),
)}
${linkList(['messages', 'Messages to webhooks'], [])}
${linkList(['vocabulary', 'Vocabulary'], Object.entries(VOCABULARY_PARTS))}`
}

type Link = readonly [id: string, text: string]

function linkList(first: Link, others: readonly Link[]): Html {
  return html`<ul>
<li class="group">${linkTo(first)}</li>
${others.map((link) => html`<li>${linkTo(link)}</li>\n`)}</ul>
`
}

function linkTo([id, text]: Link): Html {
  return html`<a href="#${id}">${text}</a>`
}

function renderGroup({ tag, operations }: Group, { components }: OpenApiDocument): Html {
  return html`<h2 id="tag-${tag.name}">${titleOf(tag)}</h2>
<p>${prose(tag.description)}</p>
${operations.map((operation) => renderOperation(operation, components.schemas))}`
}

function titleOf(tag: TagObject): string {
  return tag.name.charAt(0).toUpperCase() + tag.name.slice(1)
}
