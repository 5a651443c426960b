import { Checkbox } from '@mantine/core'
import { useMay } from '../../../api/people/session.ts'

/** Whether a view is shared with the project. For people who may not share, only if it is shared already. */
export function ShareField({ isShared }: { readonly isShared: boolean }) {
  const mayShare = useMay('issues:triage')
  if (!mayShare && !isShared) return null
  return (
    <Checkbox
      name="isShared"
      defaultChecked={isShared}
      label="Share with the project"
      description="Everyone who can read its issues sees the name and the filters."
    />
  )
}

/** What was entered in a form with the fields of a view. */
export function readViewForm(form: HTMLFormElement): { name: string; isShared: boolean } {
  const fields = new FormData(form)
  return { name: String(fields.get('name')).trim(), isShared: fields.has('isShared') }
}
