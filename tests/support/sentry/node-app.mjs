import * as Sentry from '@sentry/node'

// An app with an unchanged SDK. After its first trace it reports an error with a file, a message and feedback, then makes more of them.
Sentry.init({
  dsn: process.env.SENTRY_DSN,
  release: 'shop@2.4.1+512',
  environment: 'test',
  tracesSampleRate: 1,
  traceLifecycle: process.env.TRACE_LIFECYCLE,
})
Sentry.setUser({ id: '7', email: 'ada@example.com' })
Sentry.setTag('region', 'eu')

Sentry.startSpan({ name: 'first' }, () => undefined)
await Sentry.flush(30_000)

function pay() {
  throw new TypeError('no total', { cause: new Error('no cart') })
}

try {
  pay()
} catch (error) {
  Sentry.captureException(error, { attachments: [{ filename: 'cart.txt', data: 'two items' }] })
}
await Sentry.flush(30_000)
Sentry.captureMessage('Only a message')
Sentry.captureFeedback({ message: 'The button is gone', name: 'Ben', email: 'ben@example.com' })
await Sentry.flush(30_000)
for (const name of ['one', 'two', 'three']) Sentry.startSpan({ name }, () => undefined)
await Sentry.flush(30_000)
