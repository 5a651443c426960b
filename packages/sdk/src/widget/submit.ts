import { findUser, useClient } from '../core/api.ts'
import type { Category, ReportContent, ReportResult } from '../core/types.ts'
import type { Draft } from './drafts.ts'
import type { WidgetOptions } from './options.ts'

/** Controls whose names start with this become metadata. */
export const METADATA: string = 'metadata.'

/** The control for the email address. */
export const EMAIL = 'reporter.email'

/** The report that a draft becomes. */
export function composeContent(
  { title = '', description, category, knownIssueId, files: _, [EMAIL]: email, ...rest }: Draft,
  { context }: WidgetOptions,
): ReportContent {
  const metadata: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) metadata[name.slice(METADATA.length)] = value || undefined
  return {
    title,
    description,
    category: category as Category,
    knownIssueId,
    metadata: metadata as ReportContent['metadata'],
    ...(context === false && { context }),
    ...(email && { reporter: { ...findUser(), email } }),
  }
}

/** Does not use `report`, which treats a retry within ten seconds as a double click. */
export function submit(content: ReportContent): Promise<ReportResult> {
  return useClient(({ _configs: configs, _capture: capture }, { _ledger: ledger }) =>
    configs._blockedBy() === 'disabled' ? ledger._drop('disabled') : capture(content),
  )
}
