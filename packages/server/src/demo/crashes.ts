import { CLOSED_DATABASE, EMPTY_CACHE, NO_QUANTITY, NO_SERVINGS, SHARE_SHEET_CLOSED } from './exceptions.ts'
import type { Story } from './story.ts'

/** What the app reports automatically: crashes and slowness, grouped when they happen again. */
export const CRASHES: readonly Story[] = [
  {
    category: 'crash',
    priority: 'critical',
    title: 'Crash in {store}.load when the cache is empty',
    description: null,
    exception: EMPTY_CACHE,
    platforms: ['ios', 'macos'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'critical',
    title: 'IllegalStateException in {store}: database is closed',
    description: 'Happens when the sync worker outlives the activity.',
    exception: CLOSED_DATABASE,
    platforms: ['android'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'high',
    title: "TypeError: can't read 'quantity' of undefined ({screen})",
    description: null,
    exception: NO_QUANTITY,
    platforms: ['web'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'high',
    title: 'Killed for using too much memory while importing photos of {recipe}',
    description:
      'The system ended the app at 1.4 GB. The import keeps every photo decoded until the last one is saved.',
    platforms: ['ios', 'android'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'critical',
    title: 'Crash on launch {step}',
    description:
      'SIGABRT 0.8 s after launch, before the first frame.\n\nLast breadcrumbs: settings read, 3 migrations applied, feature flags read, gone.',
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'high',
    title: 'Deadlock in {store}: the app is ended by the watchdog',
    description:
      'Main thread waits for {store}.writeQueue, which waits for the main thread.\n\nThread 0: {store}.sync\nThread 7: {store}.didChange → DispatchQueue.main.sync',
    platforms: ['ios', 'macos', 'watchos'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'medium',
    title: 'Unhandled rejection while sharing {list}: NotAllowedError',
    description: null,
    exception: SHARE_SHEET_CLOSED,
    platforms: ['web'],
    recurs: true,
  },
  {
    category: 'crash',
    priority: 'high',
    title: 'Division by zero when {recipe} has no servings',
    description: 'An imported recipe without servings is scaled to 4 people.',
    exception: NO_SERVINGS,
    recurs: true,
  },
  {
    category: 'performance',
    priority: 'high',
    title: '{screen} blocks the main thread for more than a second',
    description: 'p95 1,340 ms, of which 1,100 ms go into sorting the same list four times.',
    recurs: true,
  },
  {
    category: 'performance',
    priority: 'medium',
    title: 'Slow query in {store}: full scan over all ingredients',
    description: 'SELECT … WHERE lower(name) LIKE ?  ·  842 ms for 12,400 rows, no index can be used.',
    recurs: true,
  },
  {
    category: 'performance',
    priority: 'medium',
    title: 'Sync retries every second {step}',
    description: '3,600 requests in an hour from one device. The back-off is reset by every local edit.',
    recurs: true,
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Sync conflict: {list} comes back after it was deleted',
    description:
      'Deleted on one device, edited on another: the edit wins and the list is alive again, with its items twice.',
    recurs: true,
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Unexpected answer 409 from /lists/merge on {screen}',
    description: 'The second merge within a minute is refused, and the local copy is thrown away.',
    recurs: true,
  },
]
