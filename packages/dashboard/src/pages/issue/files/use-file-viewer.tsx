import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { holdKeys } from '../../../ui/hold-keys.ts'
import type { ShownFile } from './shown-file.ts'

const FileViewer = lazyPart(() => import('./file-viewer.tsx'), 'FileViewer')

interface ViewableFiles {
  /** Opens the viewer at a file. */
  readonly view: (file: ShownFile) => void
  /** To be rendered; nothing while it is closed. */
  readonly viewer: ReactNode
}

/** A viewer for those of the files that can be shown. */
export function useFileViewer(files: readonly ShownFile[]): ViewableFiles {
  const [shownId, setShownId] = useState<string>()
  const viewable = files.filter(isViewable)
  const shown = viewable.findIndex(({ id }) => id === shownId)
  const close = () => setShownId(undefined)

  function view(file: ShownFile): void {
    holdKeys(close)
    setShownId(file.id)
  }

  const viewer = shown !== -1 && (
    <Suspense>
      <FileViewer files={viewable} shown={shown} onShow={({ id }) => setShownId(id)} onClose={close} />
    </Suspense>
  )
  return { view, viewer }
}

/** Images and videos, as far as the server is sure of it. */
export function isViewable({ state, isInline }: ShownFile): boolean {
  return state === 'received' && isInline
}
