/** The texts that only the page has. Each is a sentence, and what to do. */
export interface PageMessages {
  readonly incomplete: readonly [string, string]
  readonly refused: readonly [string, string]
  readonly none: readonly [string, string]
}

const ENGLISH: PageMessages = {
  incomplete: ['This link is incomplete.', 'Copy it again from the app, with everything after the #.'],
  refused: ['This link no longer works.', 'Open My reports in the app to get a new one.'],
  none: ['There are no reports behind this link.', 'They may have been deleted.'],
}

const OTHERS: Readonly<Record<string, PageMessages>> = {
  de: {
    incomplete: [
      'Dieser Link ist unvollständig.',
      'Kopieren Sie ihn noch einmal aus der App, mit allem nach dem #.',
    ],
    refused: ['Dieser Link gilt nicht mehr.', 'Unter „Meine Meldungen“ in der App finden Sie einen neuen.'],
    none: ['Unter diesem Link gibt es keine Meldungen.', 'Vielleicht wurden sie gelöscht.'],
  },
  es: {
    incomplete: [
      'Este enlace está incompleto.',
      'Cópielo de nuevo desde la aplicación, con todo lo que sigue a #.',
    ],
    refused: ['Este enlace ya no funciona.', 'Abra «Mis informes» en la aplicación para obtener uno nuevo.'],
    none: ['No hay informes en este enlace.', 'Puede que se hayan eliminado.'],
  },
  fr: {
    incomplete: [
      'Ce lien est incomplet.',
      'Copiez-le à nouveau depuis l’application, avec tout ce qui suit le #.',
    ],
    refused: [
      'Ce lien ne fonctionne plus.',
      'Ouvrez « Mes signalements » dans l’application pour en obtenir un nouveau.',
    ],
    none: ['Ce lien ne contient aucun signalement.', 'Ils ont peut-être été supprimés.'],
  },
  ja: {
    incomplete: ['このリンクは不完全です。', '# 以降も含めて、アプリからもう一度コピーしてください。'],
    refused: ['このリンクは無効になりました。', 'アプリの「自分の報告」から新しいリンクを取得してください。'],
    none: ['このリンクには報告がありません。', '削除された可能性があります。'],
  },
  pt: {
    incomplete: [
      'Este link está incompleto.',
      'Copie-o novamente do aplicativo, com tudo o que vem depois do #.',
    ],
    refused: ['Este link não funciona mais.', 'Abra “Meus relatos” no aplicativo para obter um novo.'],
    none: ['Não há relatos neste link.', 'Talvez tenham sido excluídos.'],
  },
  zh: {
    incomplete: ['此链接不完整。', '请从应用中重新复制，包括 # 之后的全部内容。'],
    refused: ['此链接已失效。', '请在应用的“我的报告”中获取新链接。'],
    none: ['此链接下没有报告。', '它们可能已被删除。'],
  },
}

/** The texts for a language, or in English. */
export function pageMessagesIn(language: string): PageMessages {
  return OTHERS[languageWithTexts(language)] ?? ENGLISH
}

/** The language in which the page is shown. */
export function languageWithTexts(language: string): string {
  const [code = ''] = language.toLowerCase().split('-')
  return code in OTHERS ? code : 'en'
}
