import type { StoredBackup } from '../ports/backups.ts'

/** The random number that the names of a database's backups have in common, in hexadecimal. */
export type Series = string

const NAME = /^bugle-([0-9a-f]{8})-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)(-incomplete)?\.db$/

export function backupName(series: Series, { at, isWhole }: Pick<StoredBackup, 'at' | 'isWhole'>): string {
  const time = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
  return `bugle-${series}-${time}${isWhole ? '' : '-incomplete'}.db`
}

/** What the name says; `undefined` unless it is the name of a backup of this series. */
export function readBackupName(
  series: Series,
  name: string,
): Pick<StoredBackup, 'name' | 'at' | 'isWhole'> | undefined {
  const [, found, time = '', incomplete] = NAME.exec(name) ?? []
  if (found !== series) return undefined
  const at = Date.parse(time.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.'))
  return Number.isNaN(at) ? undefined : { name, at, isWhole: incomplete === undefined }
}

export function newestFirst<B extends Pick<StoredBackup, 'at'>>(backups: readonly B[]): readonly B[] {
  return backups.toSorted((one, other) => other.at - one.at)
}

/**
 * Those that are no longer kept after one was made: all but the newest `keep`. Incomplete ones are counted separately, so that they never
 * replace complete ones. Backups from after the new one were made before the clock was set back: they count as the oldest.
 */
export function noLongerKept(
  backups: readonly StoredBackup[],
  made: Pick<StoredBackup, 'name' | 'at'>,
  keep: number,
): readonly StoredBackup[] {
  const others = newestFirst(backups.filter(({ name }) => name !== made.name))
  const [later, earlier] = [others.filter(({ at }) => at > made.at), others.filter(({ at }) => at <= made.at)]
  const ordered = [...backups.filter(({ name }) => name === made.name), ...earlier, ...later]
  return [true, false].flatMap((isWhole) =>
    ordered.filter((backup) => backup.isWhole === isWhole).slice(keep),
  )
}
