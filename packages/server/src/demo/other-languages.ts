import type { Story } from './story.ts'

/** What people report in their own languages. */
export const OTHER_LANGUAGES: readonly Story[] = [
  {
    category: 'bug',
    priority: 'medium',
    title: 'Einkaufsliste „{list}“ ist nach dem Teilen leer',
    description:
      'Meine Frau sieht alle Einträge, ich sehe nur noch die Überschrift. Nach einem Neustart sind sie wieder da, aber nicht mehr abgehakt.',
  },
  {
    category: 'ui_ux',
    priority: 'low',
    title: 'Umlaute fehlen im Ausdruck („{recipe}“)',
    description: 'Gedruckt steht da „Kse, Mhren, l“. Am Bildschirm ist alles richtig.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'Le bouton « Ajouter » est caché par le clavier dans {screen}',
    description:
      'Il faut fermer le clavier pour le voir, et le texte saisi est alors perdu. C’est très agaçant quand on a les mains pleines de farine.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Le minuteur ne sonne pas quand l’écran est verrouillé',
    description: 'Le gratin a brûlé. Deux fois. Notifications autorisées, mode silencieux désactivé.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Las cantidades de «{recipe}» se redondean mal',
    description: 'Media cucharadita se convierte en cero al pasar de 4 a 2 personas. La sopa quedó sin sal.',
  },
  {
    category: 'performance',
    priority: 'medium',
    title: 'La búsqueda tarda más de diez segundos {step}',
    description: 'Tengo unas 800 recetas. Antes de la última versión era inmediata.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: '「{list}」のリストを並べ替えると順番が元に戻る',
    description:
      '1. リストを開く\n2. 項目を長押しして動かす\n3. 画面を閉じて開き直す\n\n動かす前の順番に戻っています。',
  },
  {
    category: 'ui_ux',
    priority: 'low',
    title: '縦書きの設定でレシピ名が重なって読めません',
    description: null,
    platforms: ['ios', 'macos', 'web'],
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Não consigo convidar a minha mãe para a lista “{list}”',
    description:
      'O convite chega por e-mail, mas o link abre uma página em branco. Ela usa um telefone antigo.',
  },
  {
    category: 'bug',
    priority: 'low',
    title: 'Polskie znaki psują sortowanie w {screen}',
    description: '„Łosoś” jest na samym końcu, po „Żurku”, a powinien być przy L.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'النص العربي يظهر من اليسار إلى اليمين في وصفة {recipe}',
    description: 'الأرقام في مكانها الصحيح، لكن الجمل معكوسة بعد التحديث الأخير.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: '장보기 목록에서 {food}을(를) 체크하면 두 번 추가돼요',
    description: '가족과 공유한 목록에서만 그렇습니다.',
  },
]
