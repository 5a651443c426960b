import type { Conversations } from '../../core/conversations/types.ts'
import type { Messages } from '../messages.ts'
import type { ReportsMessages } from './reports-messages.ts'

/** What the view needs from the panel or the page that shows it. */
export interface ViewHost {
  readonly _conversations: Conversations
  readonly _messages: Messages
  readonly _texts: ReportsMessages
  _makeTime(time: string): HTMLElement
  readonly _heading: 'h1' | 'h2'
  /** Goes back from the list. */
  readonly _leave?: () => void
  readonly _close?: () => void
}
