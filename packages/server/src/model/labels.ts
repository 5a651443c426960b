import type { IssueId, ProjectId } from './ids.ts'
import { revisionOf } from './revisions.ts'

/** A label of a project. Issues refer to it by its number, so that it can be renamed. */
export interface LabelRecord {
  /** Never reused within the project. */
  readonly number: number
  readonly name: string
  readonly colour: string
  readonly createdAt: number
}

export type LabelChange = Partial<Pick<LabelRecord, 'name' | 'colour'>>

export function revisionOfLabel({ name, colour }: LabelRecord): string {
  return revisionOf({ name, colour })
}

export interface NewLabel extends Omit<LabelRecord, 'number'> {
  readonly projectId: ProjectId
}

/** A label that was deleted, and may still be on issues. */
export interface DeletedLabel {
  readonly projectId: ProjectId
  readonly number: number
}

/** Takes a deleted label from an issue. */
export interface UnlabelCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly label: number
}

/** The name as it is compared: two labels that differ only in case would be confused. */
export function labelKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The label with this name, whatever the case of its letters. */
export function findLabel(labels: readonly LabelRecord[], name: string): LabelRecord | undefined {
  return labels.find((label) => labelKey(label.name) === labelKey(name))
}

/** The names of the labels with these numbers, in order. Labels that were deleted are left out. */
export function namesOfLabels(labels: readonly LabelRecord[], numbers: readonly number[]): string[] {
  if (numbers.length === 0) return []
  return labels
    .filter(({ number }) => numbers.includes(number))
    .toSorted(byName)
    .map(({ name }) => name)
}

/** In alphabetical order. */
export function byName(one: LabelRecord, other: LabelRecord): number {
  return labelKey(one.name) < labelKey(other.name) ? -1 : 1
}
