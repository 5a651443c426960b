import type { GivenMessages } from './messages.ts'

/** The options of the widget. */
export interface WidgetOptions {
  /** Additional languages, or replacements for some texts, by language code. */
  readonly languages?: Readonly<Record<string, GivenMessages>> | undefined
  /** Fields of your own. What a person enters is sent as metadata. */
  readonly fields?: readonly WidgetField[] | undefined
  /** Asks for an email address, which is sent as that of the reporter. Off by default. */
  readonly email?: boolean | undefined
  /** `false`: the report does not contain the page's address, browser, window size, language, time zone and online state. */
  readonly context?: boolean | undefined
  /** `false`: the form takes no files and no screenshots. */
  readonly attachments?: boolean | undefined
  /**
   * Takes a screenshot instead of the browser: in Electron, or with a library that draws the page. `false`: the form offers
   * no screenshots. Files can still be attached.
   */
  readonly takeScreenshot?: (() => Screenshot | Promise<Screenshot>) | false | undefined
}

/**
 * An image, or an image and what it shows. With `isPage`, it shows the visible part of this page and nothing else, so that
 * masked elements are painted over. Otherwise the person is asked to check it.
 */
export type Screenshot = ImageBitmapSource | { readonly image: ImageBitmapSource; readonly isPage?: boolean }

/** A field of the form: a choice if it has `choices`, otherwise a line of text. */
export interface WidgetField {
  /** The name of the value in the report's metadata. */
  readonly name: string
  readonly label: string
  readonly choices?: readonly string[] | undefined
  readonly isRequired?: boolean | undefined
  /** The kind of text. */
  readonly type?: 'text' | 'email' | 'url' | 'number' | undefined
}
