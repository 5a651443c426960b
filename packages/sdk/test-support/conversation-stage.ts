import type { Client } from '../src/core/client.ts'
import { createConversations } from '../src/core/conversations/conversations.ts'
import type { Conversations, Message, MyReport } from '../src/core/conversations/types.ts'
import type { InitOptions } from '../src/core/types.ts'
import { addMailbox, type FakeMailbox } from './fake-mailbox.ts'
import { createWorld, settle, type World } from './fake-world.ts'

/** A page with conversations. */
export interface Tab {
  readonly client: Client
  readonly conversations: Conversations
  readonly person: { id?: string | undefined }
}

/** A fake server, and tabs that share their storage. */
export interface Stage {
  readonly world: World
  readonly mailbox: FakeMailbox
  openTab(options?: Partial<InitOptions>): Tab
}

export function setStage(): Stage {
  const world = createWorld()
  const mailbox = addMailbox(world)
  return {
    world,
    mailbox,
    openTab(options) {
      const person: Tab['person'] = {}
      const client = world.start(options)
      return {
        client,
        person,
        conversations: createConversations(client, mailbox.openTab(), () => person.id),
      }
    },
  }
}

export const REPORT: MyReport = {
  id: 'rep_1',
  title: 'Blank',
  status: 'open',
  receivedAt: '2026-11-15T12:00:00.000Z',
  fixedIn: null,
  replyCount: 0,
  unreadCount: 0,
  lastReplyAt: null,
}
export const REPLY: Message = {
  id: 'reply-1',
  from: 'team',
  text: 'Which phone?',
  createdAt: '2026-11-15T12:30:00.000Z',
  editedAt: null,
}

/** Submits a report, and lets the server list it. Returns the hash that it was sent with. */
export async function follow(
  { world, mailbox }: Stage,
  { client }: Tab,
  report: Partial<MyReport> = {},
): Promise<string> {
  await client._capture({ title: 'Blank' })
  const hash = `${world.received.at(-1)?.reporterKeyHash}`
  mailbox.reports.set(hash, [{ ...REPORT, ...report }])
  await settle()
  return hash
}

export function replyTo({ mailbox }: Stage, hash: string): void {
  mailbox.messages.set('rep_1', [REPLY])
  mailbox.reports.set(hash, [{ ...REPORT, replyCount: 1, unreadCount: 1, lastReplyAt: REPLY.createdAt }])
}

/** Opens a tab in which a report was submitted. */
export async function followed(stage: Stage): Promise<Tab> {
  const tab = stage.openTab()
  await follow(stage, tab)
  return tab
}
