import { joinList, splitList } from '@bugle/contract'
import { TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'

interface BranchFilterProps {
  readonly branches: readonly string[]
  readonly onChoose: (branches: readonly string[]) => void
}

/** Branches by name: the API does not list which ones exist. */
export function BranchFilter({ branches, onChoose }: BranchFilterProps) {
  function apply(text: string): void {
    const named = splitList(text).map((branch) => branch.trim())
    onChoose(named.filter((branch) => branch !== ''))
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') apply(event.currentTarget.value)
  }
  return (
    <TextInput
      size="xs"
      label="Branch"
      placeholder="main, release/2.4"
      key={branches.join()}
      defaultValue={branches.map((branch) => joinList([branch])).join(', ')}
      onBlur={(event) => apply(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
