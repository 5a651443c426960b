import { expect, it } from 'vitest'
import { currentItem } from './current-item.ts'

const views = [
  { id: 'viw_crashes', query: 'category=crash&status=open' },
  { id: 'viw_open', query: 'status=open' },
  { id: 'viw_open_too', query: 'status=open' },
]

it.each([
  ['/projects/kitchen/issues', { status: 'closed' }, 'issues'],
  ['/projects/kitchen/issues', {}, 'issues'],
  ['/projects/kitchen/issues', { status: 'open', category: 'crash' }, 'viw_crashes'],
  ['/projects/kitchen/issues', { status: 'open' }, 'viw_open'],
  ['/projects/kitchen/issues/12', { status: 'open' }, 'issues'],
  ['/projects/kitchen/insights', { days: '7' }, 'insights'],
  ['/projects/garden/insights', {}, ''],
  ['/account', {}, ''],
])('of %s with %j it is %s', (pathname, search, item) => {
  expect(currentItem({ pathname, search }, 'kitchen', views)).toBe(item)
})
