import { expect, test } from 'vitest'
import { findUnknownSettings } from './unknown-settings.ts'

test.for([
  ['BUGLE_PROT', ['BUGLE_PROT is not a setting (did you mean BUGLE_PORT?)']],
  ['BUGLE_PUBLIC_URI', ['BUGLE_PUBLIC_URI is not a setting (did you mean BUGLE_PUBLIC_URL?)']],
  ['BUGLE_COLOUR', ['BUGLE_COLOUR is not a setting']],
  ['BUGLE_PORT', []],
  ['BUGLE_KEY', []],
  ['BUGLE_TEST_NODE', []],
  ['PORT', []],
] as const)('%s is reported as %j', ([name, sentences]) => {
  expect(findUnknownSettings({ [name]: 'hunter2' })).toEqual(sentences)
})
