import {
  ALL_ERROR_CODES,
  ALL_ROLES,
  CATEGORIES,
  DEFAULT_CATEGORY,
  DEFAULT_PRIORITY,
  ERROR_CODES,
  ISSUE_STATUSES,
  KNOWN_PLATFORMS,
  PRIORITIES,
  SCOPES,
  SECURITY_CATEGORY,
  scopesOf,
  TRANSITIONS,
} from '@bugle/contract'
import { type Html, html } from '../page.ts'
import { codeList, prose } from '../prose.ts'
import { table } from '../table.ts'
import { statusTag } from './badges.ts'

/** The parts of {@link renderVocabulary}, for the table of contents. */
export const VOCABULARY_PARTS = {
  statuses: 'Statuses',
  categories: 'Categories',
  priorities: 'Priorities',
  platforms: 'Platforms',
  scopes: 'Scopes',
  roles: 'Roles',
  codes: 'Problem codes',
} as const

/** All enumerated values of the API, from the contract's vocabulary. */
export function renderVocabulary(): Html {
  return html`${heading('statuses')}
<p>A new issue is <code>${ISSUE_STATUSES[0]}</code>. Setting the status that an issue already has changes nothing.</p>
${transitionTable()}
${heading('categories')}
<p>${prose(`The kind of problem; \`${DEFAULT_CATEGORY}\` by default. Issues of the category \`${SECURITY_CATEGORY}\` are visible only with the scope \`security:read\`.`)}</p>
<p>${codeList(CATEGORIES)}</p>
${heading('priorities')}
<p>${prose(`From least to most urgent; \`${DEFAULT_PRIORITY}\` by default.`)}</p>
<p>${codeList(PRIORITIES)}</p>
${heading('platforms')}
<p>These are the known values. Other values are accepted too.</p>
<p>${codeList(KNOWN_PLATFORMS)}</p>
${heading('scopes')}
<p>The permissions of a secret key.</p>
${scopeTable()}
${heading('roles')}
<p>${prose('People have the scopes of their role, and `security:read` if they have access to security issues.')}</p>
${roleTable()}
${heading('codes')}
<p>The <code>code</code> of a problem. Each has a page that says what to do.</p>
${problemTable()}`
}

/** Every problem code with its status and title, each a link to its page. */
export function problemTable(): Html {
  return table({
    caption: 'Problem codes',
    headings: ['Code', 'Status and title'],
    rows: ALL_ERROR_CODES.map((code) => [
      html`<a href="/problems/${code}"><code>${code}</code></a>`,
      [statusTag(ERROR_CODES[code].status), ' ', ERROR_CODES[code].title],
    ]),
  })
}

function heading(part: keyof typeof VOCABULARY_PARTS): Html {
  return html`<h3 id="${part}">${VOCABULARY_PARTS[part]}</h3>`
}

function transitionTable(): Html {
  return table({
    caption: 'Allowed status changes',
    headings: ['From', 'To'],
    rows: ISSUE_STATUSES.map((status) => [html`<code>${status}</code>`, codeList(TRANSITIONS[status])]),
  })
}

function roleTable(): Html {
  return table({
    caption: 'Roles of people',
    headings: ['Role', 'Scopes'],
    rows: ALL_ROLES.map((role) => [html`<code>${role}</code>`, codeList(scopesOf(role, false))]),
  })
}

function scopeTable(): Html {
  return table({
    caption: 'Scopes of a secret key',
    headings: ['Scope', 'Allows'],
    rows: Object.entries(SCOPES).map(([scope, meaning]) => [html`<code>${scope}</code>`, meaning]),
  })
}
