import { expect, it } from 'vitest'
import { splitTraces } from './split-traces.ts'

const TRACES: Readonly<Record<string, string>> = {
  'Chrome and Node':
    "TypeError: Cannot read 'a'\n    at Object.f (https://x.example/a.js:1:2)\n    at async main (app.ts:3:4)",
  'Firefox and Safari': 'render@https://x.example/a.js:10:5\n@https://x.example/a.js:1:1',
  Java: 'java.lang.IllegalStateException: no\n\tat com.example.A.f(A.java:12)\n\tat com.example.B.g(B.java:9)\nCaused by: java.io.IOException\n\tat com.example.C.h(C.java:1)\n\t... 12 more\n\tat com.example.D.i(D.java:2)',
  Python:
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n  File "b.py", line 2, in g',
  Go: 'goroutine 1 [running]:\n\t/src/main.go:12 +0x1d\n\t/src/run.go:7',
  Apple: '0   UIKitCore   0x00000001 -[UIView f] + 12\n1   App   0x00000002 main + 4',
  Dart: '#0      main (package:app/main.dart:5:3)\n#1      run (dart:async/zone.dart:1:1)',
}

it.each(Object.keys(TRACES))('finds a trace of %s, including its first line', (name) => {
  const trace = TRACES[name] ?? ''
  expect(splitTraces(trace)).toEqual([{ isTrace: true, text: trace }])
  expect(splitTraces(`It broke.\n\n${trace}\n\nThen I restarted.`)).toEqual([
    { isTrace: false, text: 'It broke.' },
    { isTrace: true, text: trace },
    { isTrace: false, text: 'Then I restarted.' },
  ])
})

it.each([
  'We meet\n at noon, or later',
  '1. Open settings\n2. Nothing is drawn',
  'mail me@example.com\nor them@example.com',
  '# Heading\n## Another',
  '',
])('does not change ordinary text: %j', (text) => {
  expect(splitTraces(text).filter(({ isTrace }) => isTrace)).toEqual([])
})

it('takes linear time, whatever the text', () => {
  const texts = [
    '@'.repeat(32_768),
    ' '.repeat(32_768),
    ' at x\n'.repeat(5_000),
    '    x\n'.repeat(5_000),
    '#1 '.repeat(10_000),
  ]
  for (const text of texts)
    expect(
      splitTraces(text)
        .map((part) => part.text)
        .join('').length,
    ).toBeLessThanOrEqual(text.length)
})
