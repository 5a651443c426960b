import { describe } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

const LIBRARY = { function: 'call', file: 'node_modules/lib/index.js', line: 7, column: 1, inApp: false }
const EXCEPTION = [
  {
    type: 'CartError',
    value: 'No total <b>here</b>',
    mechanism: { type: 'onerror', handled: false },
    frames: [
      { ...LIBRARY, function: 'raise' },
      LIBRARY,
      {
        ...{ function: 'pay', file: 'src/cart.js', line: 12, column: 3, inApp: true },
        context: { before: ['function pay() {'], line: '  throw new CartError()', after: ['}'] },
      },
      { function: 'onClick', file: 'src/button.js', line: 5, column: 9, inApp: true },
      LIBRARY,
    ],
  },
  { type: 'RangeError', value: 'too far', stack: '    at seek (https://app.example/seek.js:1:2)' },
]

describe('the exception of a crash', () => {
  test('is shown with its causes in order, source lines and folded libraries, and can be copied', async ({
    scene,
  }) => {
    const id = await scene.submit({ title: 'CartError: No total', category: 'crash', exception: EXCEPTION })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const section = page.getByRole('region', { name: 'Exception' })
    await section.getByText('No total <b>here</b>').waitFor()
    expect(await section.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'CartError',
      'Caused by RangeError',
    ])
    await section.getByText('Caught by onerror, not handled').waitFor()
    await section.getByText('throw new CartError()').waitFor()
    await section.getByText('https://app.example/seek.js:1:2').waitFor()
    expect(await section.getByText('node_modules').count()).toBe(0)
    await section.getByRole('button', { name: 'Show 2 library frames' }).click()
    await expect.poll(() => section.getByText('node_modules').count()).toBe(2)
    expect(await findingsOf(page)).toEqual([])
    await section.getByRole('button', { name: 'Copy the exception' }).click()
    await page.getByLabel('Notifications').getByText('Copied the exception.').waitFor()
    // The same as text is folded.
    const text = page.getByText('Description as text')
    await text.click()
    await page.getByRole('region', { name: 'Stack trace' }).getByText('src/cart.js:12:3').waitFor()
  })

  test('is missing if the report has none', async ({ scene }) => {
    const id = await scene.submit({ title: 'Blank', description: 'Nothing at all.' })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Nothing at all.').waitFor()
    expect(await page.getByRole('region', { name: 'Exception' }).count()).toBe(0)
  })
})
