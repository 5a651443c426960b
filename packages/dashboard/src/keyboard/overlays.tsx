import { Suspense } from 'react'
import { lazyPart } from '../shell/lazy-part.ts'
import { useOverlay } from './open-overlay.ts'

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette')
const HelpDialog = lazyPart(() => import('./help-dialog.tsx'), 'HelpDialog')

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
