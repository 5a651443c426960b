import { endpoints } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { CopyButton } from '../../ui/clipboard/copy-button.tsx'
import classes from './sign-in-page.module.css'

const NEW_LINK = 'npx bugle user add --email you@example.com --name "Your name" --role admin'

/** On a server without an admin: where the setup link is, and how to get another. */
export function SetupHint() {
  const { data: setup } = useQuery({
    queryKey: ['setup'],
    queryFn: async ({ signal }) => (await client.call(endpoints.getSetup, { signal })).body,
  })
  if (setup?.isPending !== true) return null
  return (
    <section className={classes['setup']} aria-labelledby="setup">
      <h2 id="setup">This server has no admin yet</h2>
      <p>
        Open the setup link that the server printed when it first started. It is in the terminal, or in the
        log of the service (<code>journalctl -u bugle</code>, <code>docker compose logs bugle</code>). It can
        be used once and expires after 24 hours.
      </p>
      <p>To print a new link, run this command on the server:</p>
      <div className={classes['command']}>
        <code>{NEW_LINK}</code>
        <CopyButton text={NEW_LINK} what="the command" />
      </div>
    </section>
  )
}
