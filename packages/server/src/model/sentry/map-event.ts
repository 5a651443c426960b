import type { IssueSubmission, SubmittedException } from '@bugle/contract'
import {
  MAX_APP_VERSION_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_DEVICE_MODEL_CHARS,
  MAX_EXCEPTION_TEXT_CHARS,
  MAX_EXCEPTIONS,
  MAX_MECHANISM_CHARS,
  MAX_OS_VERSION_CHARS,
  MAX_REPORTER_CHARS,
  MAX_SDK_NAME_CHARS,
  MAX_SDK_VERSION_CHARS,
  MAX_TITLE_CHARS,
} from '@bugle/contract/vocabulary'
import { clip } from '../crashes/clip-text.ts'
import { fingerprintOfFrames, type Thrown } from '../crashes/frame-fingerprint.ts'
import { writeStack } from '../crashes/write-stack.ts'
import { contextOf, metadataOf } from './contexts.ts'
import { chosenFingerprint, fingerprintOfMessage } from './fingerprints.ts'
import { crashedThreadOf, framesOf, toSubmittedFrame } from './frames.ts'
import { platformOf } from './platforms.ts'
import { type Fields, listOf, textOf, within } from './values.ts'

/**
 * A report from an event. What does not fit our limits is cut, never refused. The attributes are described in Sentry's developer
 * documentation, "Event Payloads".
 */
export function submissionOfEvent(event: Fields): IssueSubmission {
  const message = messageOf(event)
  const exceptions = exceptionsOf(event, message)
  const [thrown] = exceptions
  const ours = thrown ? fingerprintOfFrames(thrown) : message && fingerprintOfMessage(message.template)
  const fingerprint = chosenFingerprint(event['fingerprint'], ours)
  return {
    ...sharedFields(event),
    title: titleOf(thrown ? headOf(thrown) : message?.text, event),
    category: thrown ? 'crash' : 'bug',
    ...(event['level'] === 'fatal' && { priority: 'high' }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(thrown && { exception: exceptions.map(toException) }),
    ...describe(message?.text, thrown),
    ...optional('metadata', metadataOf(event)),
    ...optional('context', contextOf(event)),
    ...optional('reporter', reporterOf(within(event, 'user'))),
  }
}

/**
 * A person's report, from an event with the context `feedback` ("User Feedback", section "Feedback Payload"); `undefined` if the
 * person wrote nothing.
 */
export function submissionOfFeedback(event: Fields): IssueSubmission | undefined {
  const feedback = within(event['contexts'], 'feedback')
  const text = textOf(feedback['message'], MAX_DESCRIPTION_CHARS)
  if (text === undefined) return undefined
  const user = within(event, 'user')
  const person = {
    ...user,
    name: feedback['name'] ?? user['name'],
    email: feedback['contact_email'] ?? user['email'],
  }
  return {
    ...sharedFields(event),
    title: titleOf(text, event),
    description: text,
    ...optional('metadata', metadataOf(event, { crashEventId: feedback['associated_event_id'] })),
    ...optional('context', contextOf(event, feedback['url'])),
    ...optional('reporter', reporterOf(person)),
  }
}

/** A person's report about a crash, in the older format ("User Report"). */
export function submissionOfUserReport(report: Fields): IssueSubmission | undefined {
  const text = textOf(report['comments'], MAX_DESCRIPTION_CHARS)
  if (text === undefined) return undefined
  return {
    title: titleOf(text, {}),
    description: text,
    ...optional('metadata', metadataOf({}, { crashEventId: report['event_id'] })),
    ...optional('reporter', reporterOf(report)),
  }
}

function sharedFields(event: Fields): Partial<IssueSubmission> {
  const { app, os, device } = {
    app: context(event, 'app'),
    os: context(event, 'os'),
    device: context(event, 'device'),
  }
  const { version, build } = releaseOf(event['release'])
  const osVersion = [os['name'], os['version']]
    .flatMap((part) => textOf(part, MAX_OS_VERSION_CHARS) ?? [])
    .join(' ')
  const sdk = sdkOf(within(event, 'sdk'))
  return {
    ...optional('appVersion', textOf(version ?? app['app_version'], MAX_APP_VERSION_CHARS)),
    ...optional('buildNumber', textOf(event['dist'] ?? build ?? app['app_build'], MAX_BUILD_NUMBER_CHARS)),
    ...optional('osVersion', textOf(osVersion, MAX_OS_VERSION_CHARS)),
    ...optional('deviceModel', textOf(device['model'] ?? device['family'], MAX_DEVICE_MODEL_CHARS)),
    platform: platformOf(event),
    ...optional('occurredAt', timeOf(event['timestamp'])),
    ...optional('sdk', sdk),
  }
}

function context(event: Fields, name: string): Fields {
  return within(event['contexts'], name)
}

/** `package@version+build`, of which everything but the version may be missing ("Releases & Health", section "Bind the Version"). */
function releaseOf(release: unknown): { version?: string | undefined; build?: string | undefined } {
  const text = textOf(release, 250)
  if (text === undefined) return {}
  const named = text.slice(text.lastIndexOf('@') + 1)
  const plus = named.indexOf('+')
  if (plus <= 0) return { version: named === '' ? text : named }
  return { version: named.slice(0, plus), build: named.slice(plus + 1) || undefined }
}

/** Seconds since 1970, or RFC 3339; without a zone it is in UTC. Only times that our API accepts. */
function timeOf(timestamp: unknown): string | undefined {
  const text = typeof timestamp === 'string' ? timestamp.trim().slice(0, 64) : ''
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text)
  const millis = typeof timestamp === 'number' ? timestamp * 1_000 : Date.parse(hasZone ? text : `${text}Z`)
  return millis >= 0 && millis < LAST_TIME ? new Date(millis).toISOString() : undefined
}

const LAST_TIME = Date.UTC(9999, 11, 31)

type SubmittedReporter = NonNullable<IssueSubmission['reporter']>

/** What was thrown, then its causes. Sentry sends them in the opposite order ("Exception Interface"). */
function exceptionsOf(event: Fields, message: Message | undefined): readonly SentryException[] {
  const values = listOf(event['exception']).slice(-MAX_EXCEPTIONS).reverse()
  // To show where a message came from, the SDK for JavaScript repeats it as an exception without a type.
  if (message !== undefined && values.every(({ type }) => type === undefined)) return []
  return values.map((exception, index) => {
    const frames = framesOf(exception['stacktrace'])
    return {
      type: textOf(exception['type'], MAX_EXCEPTION_TEXT_CHARS) ?? 'Error',
      value: textOf(exception['value'], MAX_EXCEPTION_TEXT_CHARS) ?? '',
      mechanism: mechanismOf(exception),
      frames: frames.length === 0 && index === 0 ? framesOf(crashedThreadOf(event)) : frames,
    }
  })
}

interface SentryException extends Thrown {
  readonly mechanism: SubmittedException['mechanism']
}

/** How the SDK caught it ("Exception Interface", attribute `mechanism`). */
function mechanismOf(exception: Fields): SubmittedException['mechanism'] {
  const { type, handled } = within(exception, 'mechanism')
  const name = textOf(type, MAX_MECHANISM_CHARS)
  return name === undefined ? null : { type: name, handled: typeof handled === 'boolean' ? handled : null }
}

function toException({ type, value, mechanism, frames }: SentryException): SubmittedException {
  const shown = frames.map(toSubmittedFrame)
  return {
    type,
    ...(value !== '' && { value }),
    ...optional('mechanism', mechanism ?? undefined),
    ...(shown.length > 0 && { stack: writeStack(shown, MAX_EXCEPTION_TEXT_CHARS), frames: shown }),
  }
}

interface Message {
  readonly text: string
  /** The message before its parameters were inserted. */
  readonly template: string
}

/** `logentry` with a template and parameters, or `message` ("Message Interface"). */
function messageOf(event: Fields): Message | undefined {
  const places = [within(event, 'logentry'), within(event, 'message'), { formatted: event['message'] }]
  for (const { formatted, message } of places as readonly Fields[]) {
    const text = textOf(formatted ?? message, MAX_DESCRIPTION_CHARS)
    if (text !== undefined) return { text, template: textOf(message, MAX_DESCRIPTION_CHARS) ?? text }
  }
  return undefined
}

function headOf({ type, value }: Thrown): string {
  return value === '' ? type : `${type}: ${value}`
}

/** The first line that is not blank. */
function titleOf(text: string | undefined, event: Fields): string {
  const line = text?.trimStart().split('\n', 1)[0]?.trim()
  return (
    textOf(line, MAX_TITLE_CHARS) ??
    textOf(event['transaction'], MAX_TITLE_CHARS) ??
    'Event without a message'
  )
}

/** The description of a crash is written from its exceptions. Only a message that the title does not show is repeated. */
function describe(message: string | undefined, thrown: Thrown | undefined): { description?: string } {
  if (message === undefined || thrown !== undefined) return {}
  const text = clip(message.trim(), MAX_DESCRIPTION_CHARS)
  return text.includes('\n') || text.length > MAX_TITLE_CHARS ? { description: text } : {}
}

/** Without the address of the device. */
function reporterOf(user: Fields): SubmittedReporter | undefined {
  const id = textOf(user['id'], MAX_REPORTER_CHARS)
  const name = textOf(user['name'] ?? user['username'], MAX_REPORTER_CHARS)
  const email = textOf(user['email'], MAX_REPORTER_CHARS)
  if (id === undefined && name === undefined && email === undefined) return undefined
  return { ...optional('id', id), ...optional('name', name), ...optional('email', email) }
}

function sdkOf(sdk: Fields): IssueSubmission['sdk'] | undefined {
  const name = textOf(sdk['name'], MAX_SDK_NAME_CHARS)
  const version = textOf(sdk['version'], MAX_SDK_VERSION_CHARS)
  return name !== undefined && version !== undefined ? { name, version } : undefined
}

function optional<N extends string, T>(name: N, value: T | undefined): Partial<Record<N, T>> {
  return value === undefined ? {} : ({ [name]: value } as Record<N, T>)
}
