import { showPage } from '../reports-page/page.ts'
import { loadFrom } from '../widget/served-parts.ts'

/** The page `/r#…`, where people read their reports without the app. */
void showPage(loadFrom(import.meta.url))
