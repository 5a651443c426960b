/** The texts of the part for files. */
export interface AttachMessages {
  readonly add: string
  readonly capture: string
  readonly edit: string
  readonly remove: string
  /** The tick for the trail. */
  readonly steps: string
  /** What is sent besides the form, before the number of files; starts with a comma. */
  readonly files: string
  readonly tooLarge: string
  readonly tooMany: string
  readonly unreadable: string
  readonly noScreenshot: string
  /** The screenshot may show more than this page. */
  readonly check: string
  /** Some files were not sent. */
  readonly lost: string
}

export const ENGLISH: AttachMessages = {
  add: 'Attach a file',
  capture: 'Take a screenshot',
  edit: 'Edit',
  remove: 'Remove',
  steps: 'Send my last steps in this app',
  files: ', files: ',
  tooLarge: 'Too large: at most 10 MiB for each file, and 25 MiB together.',
  tooMany: 'A report can have at most 10 files.',
  unreadable: 'This file cannot be read.',
  noScreenshot: 'No screenshot was taken. You can paste or attach an image instead.',
  check: 'Check that this screenshot shows nothing private. Black out what should not be sent.',
  lost: 'Some files could not be saved and were not sent.',
}
