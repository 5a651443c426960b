import { lazy, Suspense } from 'react'
import { useOverlay } from './open-overlay.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))
const HelpDialog = lazy(() =>
  import('./help-dialog.tsx').then(({ HelpDialog: component }) => ({ default: component })),
)

/** The palette or the help, while one of them is open. */
export function Overlays() {
  const overlay = useOverlay()
  return (
    <Suspense>
      {overlay === 'palette' && <Palette />}
      {overlay === 'help' && <HelpDialog />}
    </Suspense>
  )
}
