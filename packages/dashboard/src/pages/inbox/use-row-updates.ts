import { ApiProblem } from '@bugle/client'
import { endpoints } from '@bugle/contract'
import { useEffect, useEffectEvent, useRef } from 'react'
import { client } from '../../api/client.ts'
import { useLive, useLiveState } from '../../live/live.tsx'
import { forEachOf } from './for-each-of.ts'
import type { IssueList } from './issue-list.ts'
import { letPass } from './let-pass.ts'
import { toListItem } from './list-items.ts'
import { isMoving } from './move-issues.ts'

/** Changes are collected for this long: a noisy crash is read once and not a hundred times. */
const COLLECT_MS = 300
/** Rows that are read again at once; a change of more than these is seen when the list is. */
const MAX_ROWS = 60

/** Rows change their content as the issues change, each in its place. */
export function useRowUpdates(list: IssueList): void {
  const changed = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLive = useLiveState() === 'live'

  const update = useEffectEvent(async () => {
    timer.current = undefined
    const ids = [...changed.current].slice(0, MAX_ROWS)
    changed.current.clear()
    await forEachOf(ids, (id) => updateRow(list, id))
  })
  const updateSoon = useEffectEvent((ids: Iterable<string>) => {
    for (const id of ids) changed.current.add(id)
    if (changed.current.size > 0) timer.current ??= setTimeout(() => void update(), COLLECT_MS)
  })

  useEffect(() => () => clearTimeout(timer.current), [])
  const updateAll = useEffectEvent(async () => {
    try {
      updateSoon(await list.update())
    } catch (error) {
      letPass(error)
    }
  })
  // A list that was kept, or a stream that is back, may have missed changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each list, and each time the connection is back
  useEffect(() => {
    if (isLive) void updateAll()
  }, [isLive, list])
  useLive({
    onEvent({ type, issueId }) {
      if (issueId === null || list.indexOf(issueId) < 0) return
      if (type === 'issue.deleted') list.patch(issueId, 'gone')
      else updateSoon([issueId])
    },
    onReset: () => void updateAll(),
  })
}

async function updateRow(list: IssueList, id: string): Promise<void> {
  // What the page itself has asked for it will be told: an answer from before would show the old state once more.
  if (isMoving(id)) return
  try {
    const { body } = await client.call(endpoints.retrieveIssue, { params: { id } })
    if (!isMoving(id)) list.patch(id, toListItem(body))
  } catch (error) {
    // Deleted, or moved out of sight.
    if (error instanceof ApiProblem && error.status === 404) list.patch(id, 'gone')
    else letPass(error)
  }
}
