import type { make } from '../make.ts'
import type { PanelHost } from '../panel-host.ts'

/** What this part needs from the panel. */
export interface AttachHost extends Pick<PanelHost, '_host' | '_messages' | '_options' | '_load'> {
  /** The controls are inserted after it. Its value changes with the files, so that the panel can tell drafts apart. */
  readonly _input: HTMLInputElement
  readonly _make: typeof make
}
