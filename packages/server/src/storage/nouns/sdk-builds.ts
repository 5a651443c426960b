import { MAX_SDK_BUILDS, type SdkBuild } from '../../model/sdk-builds.ts'
import { all, change, type Operation, type Operations, send } from '../operations.ts'
import type { SdkBuildStorage } from '../ports/sdk-builds.ts'

export function sdkBuildStorage({ read, writeInBackground }: Operations): SdkBuildStorage {
  return {
    keep: (build, at) => writeInBackground(keepSdkBuild, build, at),
    list: () => read(listBuilds),
    find: (id) => read(findBuild, id),
  }
}

export function* keepSdkBuild({ id, files }: SdkBuild, at: number): Operation<void> {
  const added = yield* change(
    'INSERT INTO sdk_builds (id, stored_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    id,
    at,
  )
  if (added === 0) return
  for (const [name, content] of files)
    yield* send('INSERT INTO sdk_files (build, name, content) VALUES ($1, $2, $3)', id, name, content)
  const excess = yield* all<{ id: string }>(
    'SELECT id FROM sdk_builds ORDER BY stored_at DESC, id LIMIT $1 OFFSET $2',
    MAX_SDK_BUILDS,
    MAX_SDK_BUILDS,
  )
  for (const old of excess) {
    yield* send('DELETE FROM sdk_files WHERE build = $1', old.id)
    yield* send('DELETE FROM sdk_builds WHERE id = $1', old.id)
  }
}

function* listBuilds(): Operation<readonly string[]> {
  const rows = yield* all<{ id: string }>('SELECT id FROM sdk_builds')
  return rows.map(({ id }) => id)
}

function* findBuild(id: string): Operation<SdkBuild | undefined> {
  const rows = yield* all<{ name: string; content: Uint8Array }>(
    'SELECT name, content FROM sdk_files WHERE build = $1 ORDER BY name',
    id,
  )
  if (rows.length === 0) return undefined
  return { id, files: new Map(rows.map(({ name, content }) => [name, new Uint8Array(content)])) }
}
