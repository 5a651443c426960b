import './theme/styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from './api/client.ts'
import { sessionQuery } from './api/people/session.ts'
import { createQueryClient } from './api/query-client.ts'
import { listenToKeys } from './keyboard/listen.ts'
import { createPageRouter } from './router.tsx'
import { theme, themeChoice } from './theme/theme.ts'

const queries = createQueryClient()
const router = createPageRouter(queries)
onSignedOut(() => {
  queries.setQueryData(sessionQuery.queryKey, null)
  void router.invalidate()
})
const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no root element')

listenToKeys()
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={themeChoice}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
