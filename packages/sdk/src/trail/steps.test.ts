import { expect, test } from 'vitest'
import { scrubStep } from './scrub-step.ts'
import { createSteps, MAX_STEPS } from './steps.ts'

test.each([
  ['Signed in as ada@example.com', 'Signed in as [redacted]'],
  ['https://app.example/users/ada%40example.com/edit', 'https://app.example/users/[redacted]/edit'],
  ['Paid with 4111 1111 1111 1111', 'Paid with [redacted]'],
  ['Paid with 4111-1111-1111-1111.', 'Paid with [redacted].'],
  ['https://app.example/reset/9f8e7d6c5b4a39281706/x', 'https://app.example/reset/[redacted]/x'],
  ['https://app1.staging.example.com/orders/12', 'https://app1.staging.example.com/orders/12'],
  ['token=abc123', 'token=[redacted]'],
  ['GET https://u:pw@app.example/a?key=1#x', 'GET https://app.example/a'],
  ['Order 1234567 took 12.5 s', 'Order 1234567 took 12.5 s'],
])('%s becomes %s', (text, expected) => {
  expect(scrubStep(text)).toBe(expected)
})

test('the last steps are kept, each with a bounded text, and take less than 0.1 ms each', () => {
  const steps = createSteps(scrubStep, Date.now)
  const long = 'A long message with ada@example.com in it. '.repeat(100)
  // The fastest of many batches: others may have been interrupted by other processes.
  const batches = Array.from({ length: 100 }, (_, batch) => {
    const started = performance.now()
    for (let number = 0; number < 1_000; number++)
      steps.add('app', `Step ${batch}.${number} at https://a.example/b?c=d`)
    return (performance.now() - started) / 1_000
  })
  expect(Math.min(...batches)).toBeLessThan(0.1)
  for (let number = 0; number < MAX_STEPS; number++) steps.add('console', long)
  expect(steps.read()).toHaveLength(MAX_STEPS)
  expect(JSON.stringify(steps.read()).length).toBeLessThan(64 * 1_024)
})

test('a scrubber that fails redacts the step', () => {
  const steps = createSteps(() => {
    throw new Error('a mistake of the app')
  }, Date.now)
  steps.add('app', 'secret')
  expect(steps.read()).toMatchObject([{ kind: 'app', text: '[redacted]' }])
})
