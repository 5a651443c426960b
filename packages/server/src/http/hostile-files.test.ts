import { describe, expect, it } from 'vitest'
import { setAttachmentStage } from '../../test-support/attachment-stage.ts'
import { HOSTILE_DOWNLOADS, HOSTILE_NAMES, POLYGLOTS } from '../../test-support/hostile-files.ts'

const stage = setAttachmentStage()

describe('hostile files', () => {
  it.each(HOSTILE_DOWNLOADS)('%s is only ever a download', async (_, bytes, name, contentType) => {
    const { id, attachmentIds } = await stage.reportWith([{ bytes, name, contentType }])
    const { headers, status } = await stage.download(attachmentIds[0] ?? '')
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename=${name}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect((await stage.attachments(id))[0]).toMatchObject({ isInline: false, declaredType: contentType })
  })

  it.each(POLYGLOTS)('a polyglot of %s is an image and nothing else', async (_, bytes, type) => {
    const file = { bytes, name: 'a.js', contentType: 'text/javascript' }
    const { attachmentIds } = await stage.reportWith([file])
    const { headers } = await stage.download(attachmentIds[0] ?? '')
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  it.each(HOSTILE_NAMES)('%s in a name is made safe', async (_, name, shown) => {
    const { id, attachmentIds } = await stage.reportWith([{ bytes: 'a text', name }])
    expect((await stage.attachments(id))[0].name).toBe(shown)
    const { headers } = await stage.download(attachmentIds[0] ?? '')
    expect(headers.has('x-evil')).toBe(false)
    expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toContain(shown)
  })
})
