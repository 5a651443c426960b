import { expect, it } from 'vitest'
import { createUploadSlots, type UploadSlots } from './upload-slots.ts'

/** Takes as many slots as there are for this project, each for another client. */
function fill(slots: UploadSlots, projectId: string): number {
  for (let count = 0; ; count++) {
    try {
      slots.take({ projectId, client: `${projectId} ${count}` })
    } catch {
      return count
    }
  }
}

it('one client takes at most an eighth of the slots', () => {
  const slots = createUploadSlots(16)
  const one = { projectId: 'a', client: 'one' }
  const free = slots.take(one)
  slots.take(one)
  expect(() => slots.take(one)).toThrow('Too many uploads')
  slots.take({ projectId: 'a', client: 'other' })
  free()
  slots.take(one)
  expect(slots.taken).toBe(3)
})

it('one project takes at most half of them, however many clients it has', () => {
  const slots = createUploadSlots(16)
  expect([fill(slots, 'a'), fill(slots, 'b'), fill(slots, 'c')]).toEqual([8, 8, 0])
})

it('everyone has at least one', () => {
  const slots = createUploadSlots(2)
  expect([fill(slots, 'a'), fill(slots, 'b')]).toEqual([1, 1])
})
