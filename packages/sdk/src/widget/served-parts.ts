import type { LoadPart } from './messages.ts'

/** The parts that have a file of their own beside the file for a script tag. */
const PARTS = /^(de|es|fr|ja|pt|zh|extras|attach|editor|my-reports|suggestions)$/

/** Loads parts from the folder that a file of the SDK was loaded from. */
export function loadFrom(file: string | undefined): LoadPart {
  return (name) =>
    file && PARTS.test(name)
      ? import(new URL(`bugle-widget-${name}.mjs`, file) as unknown as string)
      : undefined
}
