import type { ProjectId } from '../../model/ids.ts'
import type { ReporterKey } from '../../model/reports/my-reports.ts'
import type { EventStorage } from '../../storage/ports/issues.ts'

/** Reporters whose tags are kept. Beyond it, the ones added first are forgotten. */
const MAX_TAGS = 50_000

/**
 * The tags of the last responses to reporters, while nothing has happened in their project since: a poll is then answered
 * without the database.
 */
export interface PollTags {
  /** The tag, if it is still valid. */
  find(reporter: ReporterKey): string | undefined
  /** Where a response begins that is about to be read: what happens from now on makes its tag invalid. */
  begin(reporter: ReporterKey): Reading
  close(): void
}

interface Reading {
  keep(tag: string): void
}

interface Known {
  readonly tag: string
  readonly round: Round
}

/** Replaced whenever something happens in the project. */
type Round = object

export function createPollTags(events: Pick<EventStorage, 'subscribe'>, maxTags = MAX_TAGS): PollTags {
  const tags = new Map<string, Known>()
  const rounds = new Map<ProjectId, Round>()
  const close = events.subscribe((projectId) => {
    if (projectId === null) rounds.clear()
    else rounds.delete(projectId)
  })

  function roundOf(projectId: ProjectId): Round {
    const known = rounds.get(projectId)
    if (known !== undefined) return known
    const round = {}
    rounds.set(projectId, round)
    return round
  }

  return {
    find(reporter) {
      const known = tags.get(nameOf(reporter))
      return known !== undefined && known.round === rounds.get(reporter.projectId) ? known.tag : undefined
    },
    begin(reporter) {
      const round = roundOf(reporter.projectId)
      return {
        keep(tag) {
          const name = nameOf(reporter)
          tags.delete(name)
          tags.set(name, { tag, round })
          for (const oldest of tags.keys()) {
            if (tags.size <= maxTags) break
            tags.delete(oldest)
          }
        },
      }
    },
    close,
  }
}

function nameOf({ projectId, keyHash }: ReporterKey): string {
  return projectId + keyHash
}
