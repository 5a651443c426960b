import { createBrowserFileStore } from '../../browser/file-store.ts'
import { findClient } from '../../core/api.ts'
import { enableFilesIn } from '../../core/files/files.ts'
import { guard } from '../../core/guard.ts'
import type { ReportContent } from '../../core/types.ts'
import type { Draft } from '../drafts.ts'
import { FILES_LEFT } from '../drafts.ts'
import type { AttachHost } from './attach-host.ts'
import { entriesOf, restoreEntries } from './entries.ts'
import { createView } from './view.ts'

/** Files of a report in the widget: attached, pasted, dropped, or a screenshot; and the tick for the trail. */
const attach: Attach = { _mount: mount, _resume: resume }
export default attach

/** How long files that are left may take until the next page has to look for them again. */
const RESUME_MS = 600_000

export interface Attach {
  /** Adds the controls to the form. */
  _mount(given: AttachHost): Attachments
  /** Sends the files that an earlier page has left. */
  _resume(): void
}

/** The files of the draft in the form. */
export interface Attachments {
  /** What a draft adds to its report. The files stay with the draft. */
  _filesOf(draft: Draft): Partial<ReportContent>
  /** Puts the files of a draft into the form; a draft without files clears it. */
  _restore(draft: Draft): void
  /** Shows the files. They may have changed in another form of the page. */
  _render(): void
}

function resume(): void {
  enableFilesIn(createBrowserFileStore)
  void findClient()
    ?._flush(RESUME_MS)
    .then((isEmpty) => isEmpty && localStorage.removeItem(FILES_LEFT))
    .catch(() => {})
}

/** Lets the next page know that there are files. Without it, they would wait until the form is opened there. */
const noteFiles = guard(() => localStorage.setItem(FILES_LEFT, '1'))

function mount(given: AttachHost): Attachments {
  enableFilesIn(createBrowserFileStore)
  const view = createView(given)
  return {
    _filesOf(draft) {
      const attachments = entriesOf(draft).map(({ file }) => file)
      if (attachments[0] || findClient()?._trail) noteFiles()
      return {
        ...(attachments[0] && { attachments }),
        ...(findClient()?._trail && { trail: view._isTrailSent() }),
      }
    },
    _restore(draft) {
      restoreEntries(draft)
      view._render()
    },
    _render: view._render,
  }
}
