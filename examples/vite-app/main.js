import { init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'

const { VITE_BUGLE_URL = 'http://127.0.0.1:4000', VITE_BUGLE_PUBLIC_KEY } = import.meta.env
init({ endpoint: VITE_BUGLE_URL, publicKey: VITE_BUGLE_PUBLIC_KEY })
captureCrashes()

document.querySelector('#report').addEventListener('click', async () => {
  const { status } = await report({ title: 'Settings screen stays blank', category: 'ui_ux' })
  document.querySelector('[role=status]').textContent = `The report was ${status}.`
})
document.querySelector('#crash').addEventListener('click', () => {
  throw new Error('Crashed on request')
})
