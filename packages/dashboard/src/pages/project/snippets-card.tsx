import '@mantine/core/styles/Tabs.css'
import type { Project } from '@bugle/contract'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../../api/projects/projects.ts'
import { sdkQuery } from '../../api/projects/sdk.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/clipboard/copy-button.tsx'
import { ChoiceMenu } from '../../ui/menu/choice-menu.tsx'
import page from './project-page.module.css'
import { SNIPPETS, snippetOf } from './snippets.ts'
import classes from './snippets-card.module.css'

/** A placeholder while there is no key. */
const NO_KEY = 'bgl_pub_…'

/** How an app sends its first report, with this server's address and a key of the project. */
export function SnippetsCard({ project: { slug } }: { readonly project: Project }) {
  const { data: keys = [] } = useQuery(keysQuery(slug))
  const [chosen, setChosen] = useState<string>()
  const usable = keys.filter(({ revokedAt }) => revokedAt === null)
  const key = usable.find(({ id }) => id === chosen) ?? usable[0]
  const { data: sdk } = useQuery(sdkQuery)
  const sender = { endpoint: location.origin, publicKey: key?.token ?? NO_KEY, sdk }
  return (
    <Card
      title="Send reports"
      hint="Ready to paste, with this server's URL and a public key of the project."
      actions={
        usable.length > 1 && (
          <ChoiceMenu
            label="Key"
            options={usable.map(({ id, name, token }) => ({ value: id, name: name ?? token }))}
            chosen={key?.id ?? ''}
            isReadOnly={false}
            onChoose={setChosen}
          />
        )
      }
    >
      <Tabs defaultValue={SNIPPETS[0]} keepMounted={false}>
        <Tabs.List aria-label="Ways to send">
          {SNIPPETS.map((snippet) => (
            <Tabs.Tab key={snippet} value={snippet}>
              {snippetOf(snippet, sender).name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map((snippet) => {
          const { name, hint, parts } = snippetOf(snippet, sender)
          return (
            <Tabs.Panel key={snippet} value={snippet} className={classes['panel'] ?? ''}>
              <p className={page['quiet']}>{hint}</p>
              {parts.map(({ place, code }) => (
                <div key={place ?? name} className={classes['part']}>
                  {place !== undefined && <p className={classes['place']}>{place}</p>}
                  <div className={classes['snippet']}>
                    <section
                      className={classes['scroller']}
                      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
                      tabIndex={0}
                      aria-label={`Snippet: ${place === undefined ? name : `${name}, ${place}`}`}
                    >
                      <pre className={classes['code']}>{code}</pre>
                    </section>
                    <div className={classes['copy']}>
                      <CopyButton
                        text={code}
                        what={place === undefined ? 'the snippet' : `the snippet: ${place}`}
                      />
                    </div>
                  </div>
                </div>
              ))}
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Card>
  )
}
