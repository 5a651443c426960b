import { expect, test } from 'vitest'
import de from '../languages/de.ts'
import es from '../languages/es.ts'
import fr from '../languages/fr.ts'
import ja from '../languages/ja.ts'
import pt from '../languages/pt.ts'
import zh from '../languages/zh.ts'
import { ENGLISH } from './suggestions-messages.ts'

test.each(Object.entries({ de, es, fr, ja, pt, zh }))('%s has all texts', (_, { suggestions }) => {
  expect(Object.keys({ ...suggestions })).toEqual(Object.keys(ENGLISH))
})
