import * as Sentry from '@sentry/react'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

export const { flush } = Sentry

/** Throws in a component, and opens the SDK's form. The screen is a canvas, because a browser without a screen has nothing to capture. */
export async function crash(dsn) {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  const draw = () => {
    context.fillRect(0, 0, 100, 100)
    requestAnimationFrame(draw)
  }
  draw()
  navigator.mediaDevices.getDisplayMedia = async () => canvas.captureStream(30)
  const feedback = Sentry.feedbackIntegration({ autoInject: false })
  Sentry.init({ dsn, integrations: [feedback] })
  function Total() {
    throw new RangeError('too many')
  }
  const fallback = createElement('p', null, 'Something broke')
  const boundary = createElement(Sentry.ErrorBoundary, { fallback }, createElement(Total))
  createRoot(document.querySelector('#root')).render(boundary)
  const form = await feedback.createForm()
  form.appendToDom()
  form.open()
}
