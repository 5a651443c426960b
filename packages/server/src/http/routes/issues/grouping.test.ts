import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, change, get, history } = stage

describe('reports with the same fingerprint', () => {
  it('are counted on one issue, and each has its own response', async () => {
    const first = await report({ fingerprint: 'f1', appVersion: '1.0', platform: 'ios' })
    stage.pass(1_000)
    const body = {
      title: 'Other words',
      fingerprint: 'f1',
      appVersion: '1.1',
      platform: 'android',
      submissionId: 'j1',
    }
    const second = await stage.api.send('POST', '/v1/issues', { key: stage.project.secretKey, body })
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ ...first, title: 'Other words', reportCount: 2 })
    await report({ fingerprint: 'f1' })
    const replayed = await stage.api.send('POST', '/v1/issues', { key: stage.project.secretKey, body })
    expect([replayed.status, replayed.body]).toEqual([200, second.body])

    const issue = await get(`/v1/issues/${first.id}`)
    expect(issue).toMatchObject({ title: 'Blank screen', reportCount: 3, version: 1, appVersion: '1.0' })
    expect(issue.lastReportedAt).toBe(new Date(stage.now).toISOString())
    const reports = await get(`/v1/issues/${first.id}/reports`)
    expect(
      reports.data.map((report: Record<string, unknown>) => [
        report['reportNumber'],
        report['appVersion'],
        report['platform'],
      ]),
    ).toEqual([
      [3, null, null],
      [2, '1.1', 'android'],
      [1, '1.0', 'ios'],
    ])
    expect(reports.pagination).toMatchObject({ hasMore: false, totalCount: 3 })
  })

  it('are paged by cursor', async () => {
    const { id } = await report({ fingerprint: 'paged' })
    for (let index = 0; index < 6; index++) await report({ fingerprint: 'paged' })
    const seen: number[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/issues/${id}/reports?pageSize=3${cursor}`)
      seen.push(...data.map((report: { reportNumber: number }) => report.reportNumber))
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('reopen a resolved issue from a later release, with the reason', async () => {
    const { id } = await report({ fingerprint: 'r1', appVersion: '2.3.0' })
    await change(id, { status: 'resolved', fixedIn: { appVersion: '2.4.0', buildNumber: '498' } })
    const late = await report({ fingerprint: 'r1', appVersion: '2.3.9' }, stage.project.secretKey)
    expect(late.status).toBe('resolved')
    const regressed = await report(
      { fingerprint: 'r1', appVersion: '2.4.1', buildNumber: '512' },
      stage.project.secretKey,
    )
    expect(regressed.status).toBe('open')
    const last = (await history(id)).at(-1)
    expect(last).toMatchObject({
      type: 'issue.regressed',
      actor: { kind: 'system', id: null },
      changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    })
    expect(last.reason).toContain('2.4.1 (512) is not older than the fix, 2.4.0 (498)')
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status: 'open', reportCount: 3, version: 3 })
  })

  it.each(['closed', 'wontfix'] as const)('do not change an issue that is %s', async (status) => {
    const fingerprint = `final-${status}`
    const { id } = await report({ fingerprint })
    await change(id, { status })
    expect((await report({ fingerprint }, stage.project.secretKey)).status).toBe(status)
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status, reportCount: 2 })
  })

  it('of other projects stay separate', async () => {
    await report({ fingerprint: 'shared' })
    const other = await stage.api.addProject()
    const { status } = await stage.api.send('POST', '/v1/issues', {
      key: other.publicKey,
      body: { title: 'x', fingerprint: 'shared' },
    })
    expect(status).toBe(201)
  })
})

describe('reports with an exception', () => {
  const STACK = '\n    at save (https://app.example/form-BxK2abc1.js:1:88)'
  const NEXT_STACK = '\n    at save (https://app.example/form-Zz91kkQQ.js:1:93)'
  const exception = [
    { type: 'TypeError', value: 'item 12 is gone', stack: STACK },
    { type: 'RangeError', value: 'too far', stack: 'RangeError: too far\n    at seek (a.js:1:1)' },
  ]
  const next = [{ type: 'TypeError', value: 'item 7 is gone', stack: NEXT_STACK }]

  function send(body: object) {
    return stage.api.send('POST', '/v1/issues', {
      key: stage.project.secretKey,
      body: { title: 'TypeError: item', ...body },
    })
  }

  it('are grouped by it, also in the next build, and described by the stacks', async () => {
    const first = await send({ exception })
    expect(first.status).toBe(201)
    const second = await send({ exception: next })
    expect([second.status, second.body.id, second.body.reportCount]).toEqual([200, first.body.id, 2])
    const other = await send({ exception: [{ ...exception[0], type: 'SyntaxError' }] })
    expect(other.status).toBe(201)
    const issue = await get(`/v1/issues/${first.body.id}`)
    expect(issue.fingerprint).toMatch(/^2:TypeError:/)
    expect(issue.description).toBe(
      `TypeError: item 12 is gone${STACK}\nCaused by: RangeError: too far\n    at seek (a.js:1:1)`,
    )
  })

  it('keep their own fingerprint, and their own description before the stacks', async () => {
    const { body } = await send({ exception, fingerprint: 'mine', description: 'My words' })
    expect(await get(`/v1/issues/${body.id}`)).toMatchObject({
      fingerprint: 'mine',
      description: `My words\n\nTypeError: item 12 is gone${STACK}\nCaused by: RangeError: too far\n    at seek (a.js:1:1)`,
    })
    const [full, repeating] = ['x'.repeat(32_768), `See:\nTypeError: gone${STACK}`]
    for (const description of [full, repeating]) {
      const gone = [{ ...exception[0], value: 'gone' }]
      const { body } = await send({ exception: gone, fingerprint: description.slice(0, 9), description })
      expect((await get(`/v1/issues/${body.id}`)).description).toBe(description)
    }
  })

  it('show it with the frames of its stack, and are found by its types and messages', async () => {
    const { body } = await send({ exception, fingerprint: 'framed', description: 'Framed words' })
    const { data } = await get(`/v1/issues/${body.id}/reports`)
    const frame = { module: null, inApp: true, context: null }
    expect(data[0].exception).toEqual([
      {
        type: 'TypeError',
        value: 'item 12 is gone',
        mechanism: null,
        frames: [
          { ...frame, function: 'save', file: 'https://app.example/form-BxK2abc1.js', line: 1, column: 88 },
        ],
      },
      {
        type: 'RangeError',
        value: 'too far',
        mechanism: null,
        frames: [{ ...frame, function: 'seek', file: 'a.js', line: 1, column: 1 }],
      },
    ])
    const [without] = (await get(`/v1/issues/${body.id}/reports?includeText=false`)).data
    expect(without.exception).toBeNull()
    const search = `framed ${encodeURIComponent('RangeError "too far"')}`
    const found = await get(`/v1/issues?q=${search}`)
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([body.id])
  })

  it('may have structure instead of a stack, which groups them by the frames in the app', async () => {
    const frames = [
      { function: 'raise', module: 'library', inApp: false },
      {
        function: 'pay',
        file: 'cart.py',
        module: 'shop.cart',
        line: 12,
        column: null,
        inApp: true,
        context: { before: ['def pay():'], line: '  raise CartError', after: [] },
      },
    ]
    const structured = [{ type: 'CartError', mechanism: { type: 'excepthook', handled: false }, frames }]
    const first = await send({ exception: structured })
    const issue = await get(`/v1/issues/${first.body.id}`)
    expect(issue.fingerprint).toMatch(/^s1:CartError:/)
    expect(issue.description).toBe('CartError\n    at raise (library)\n    at shop.cart.pay (cart.py:12)')
    const { data } = await get(`/v1/issues/${first.body.id}/reports`)
    const none = { function: null, file: null, module: null, line: null, column: null, context: null }
    expect(data[0].exception).toEqual([
      { ...structured[0], value: null, frames: frames.map((frame) => ({ ...none, ...frame })) },
    ])
    const moved = frames.map((frame) => ({ ...frame, line: 99, context: null }))
    const second = await send({ exception: [{ type: 'CartError', value: 'Other', frames: moved }] })
    expect(second.body.id).toBe(first.body.id)
    const other = frames.map((frame) => ({ ...frame, function: 'refund' }))
    expect((await send({ exception: [{ type: 'CartError', frames: other }] })).status).toBe(201)
  })

  it('are the same submission only with the same exception', async () => {
    const body = { exception: [{ type: 'ReplayedError' }], submissionId: 'with-exception' }
    const first = await send(body)
    expect(await send(body)).toMatchObject({ status: first.status, body: first.body })
    expect(await send({ ...body, exception: next })).toMatchObject({ status: 409 })
    expect(await send({ ...body, exception: null })).toMatchObject({ status: 409 })
  })

  it.each([
    [[], '#/exception'],
    [Array(11).fill({ type: 'E' }), '#/exception'],
    [[{}], '#/exception/0/type'],
    [[{ type: '' }], '#/exception/0/type'],
    [[{ type: 'E', stack: 's'.repeat(8_193) }], '#/exception/0/stack'],
    [[{ type: 'E', value: 'a\0b' }], '#/exception/0/value'],
    [[{ type: 'E', unknown: 1 }], '#/exception/0/unknown'],
    [[{ type: 'E', mechanism: {} }], '#/exception/0/mechanism/type'],
    [[{ type: 'E', frames: Array(251).fill({}) }], '#/exception/0/frames'],
    [[{ type: 'E', frames: [{ line: 1.5 }] }], '#/exception/0/frames/0/line'],
    [[{ type: 'E', frames: [{ file: 'x'.repeat(513) }] }], '#/exception/0/frames/0/file'],
    [[{ type: 'E', frames: [{ function: 'a\0' }] }], '#/exception/0/frames/0/function'],
    [
      [{ type: 'E', frames: [{ context: { before: [], after: [] } }] }],
      '#/exception/0/frames/0/context/line',
    ],
  ])('are refused with %j', async (bad, pointer) => {
    const { status, body } = await send({ exception: bad })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })

  it('have a description within the limit, whatever its characters', async () => {
    const { body } = await send({
      exception: Array(6).fill({ type: 'E', stack: '\u{1f600}'.repeat(8_000) }),
    })
    const { description } = await get(`/v1/issues/${body.id}`)
    expect([...description].length).toBeLessThanOrEqual(32_768)
    expect([...description].length).toBeGreaterThan(32_000)
    expect(description.isWellFormed()).toBe(true)
  })
})
