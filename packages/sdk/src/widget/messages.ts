/** Everything the widget says. */
export interface Messages {
  readonly open: string
  readonly heading: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly categories: Readonly<Record<string, string>>
  readonly submit: string
  readonly close: string
  readonly sending: string
  readonly sent: string
  readonly queued: string
  readonly dropped: string
}

/** The languages that come with the widget; `defineWidget` takes more. */
export const LANGUAGES: Readonly<Record<string, Messages>> = {
  en: {
    open: 'Report a problem',
    heading: 'Report a problem',
    title: 'What is wrong?',
    description: 'What did you do, and what happened?',
    category: 'Kind of problem',
    categories: {
      bug: 'Something does not work',
      crash: 'It crashed',
      performance: 'It is slow',
      ui_ux: 'It looks wrong',
      security: 'Security concern',
    },
    submit: 'Send',
    close: 'Close',
    sending: 'Sending …',
    sent: 'Thank you, the report has arrived.',
    queued: 'Thank you. The report is kept here and will be sent as soon as possible.',
    dropped: 'The report could not be taken. Your text is still here.',
  },
  de: {
    open: 'Problem melden',
    heading: 'Problem melden',
    title: 'Was stimmt nicht?',
    description: 'Was haben Sie getan, und was ist passiert?',
    category: 'Art des Problems',
    categories: {
      bug: 'Etwas funktioniert nicht',
      crash: 'Es ist abgestürzt',
      performance: 'Es ist langsam',
      ui_ux: 'Es sieht falsch aus',
      security: 'Es ist nicht sicher',
    },
    submit: 'Senden',
    close: 'Schließen',
    sending: 'Wird gesendet …',
    sent: 'Danke, die Meldung ist angekommen.',
    queued: 'Danke. Die Meldung ist hier gespeichert und wird so bald wie möglich gesendet.',
    dropped: 'Die Meldung wurde nicht angenommen. Ihr Text ist noch da.',
  },
}
