import { useEffect } from 'preact/hooks'

import { access, askAccess, call, connection } from './lib/api.ts'
import { href, place } from './lib/router.ts'
import { said } from './lib/say.ts'
import { theme, type Theme } from './lib/theme.ts'
import { ActivityView } from './views/activity.tsx'
import { ApiView } from './views/reference.tsx'
import { BrowsersView } from './views/browsers.tsx'
import { ChangesView } from './views/changes.tsx'
import { JobView } from './views/job.tsx'
import { JobsView } from './views/jobs.tsx'
import { KeysView } from './views/keys.tsx'
import { LoginView } from './views/login.tsx'
import { TryView } from './views/try.tsx'

const views = [
  ['try', 'Try'],
  ['jobs', 'Jobs'],
  ['changes', 'Changes'],
  ['browsers', 'Browsers'],
  ['activity', 'Activity'],
  ['keys', 'Keys'],
  ['api', 'API'],
] as const

const themes: Readonly<Record<Theme, { readonly next: Theme; readonly label: string }>> = {
  system: { next: 'dark', label: 'Theme: system' },
  dark: { next: 'light', label: 'Theme: dark' },
  light: { next: 'system', label: 'Theme: light' },
}

export function App() {
  useEffect(() => void askAccess().catch(() => undefined), [])
  const { parts } = place.value
  const known = access.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/try">
          Harvestman
        </a>
        <nav aria-label="Views">
          {views.map(([id, label]) => (
            <a key={id} href={href([id])} aria-current={parts[0] === id ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <span class="spacer" />
        {connection.value === 'lost' && (
          <span class="small error" role="status">
            Reconnecting…
          </span>
        )}
        <button type="button" class="plain small" onClick={() => (theme.value = themes[theme.value].next)}>
          {themes[theme.value].label}
        </button>
        {known?.isIn && !known.isOpen && (
          <button type="button" class="plain small" onClick={() => void logOut()}>
            Log out
          </button>
        )}
      </header>
      <main id="main">{known === undefined ? <Loading /> : known.isIn ? <View parts={parts} /> : <LoginView />}</main>
      <div class={said.value ? 'toast' : 'sr'} role="status" aria-live="polite">
        {said.value}
      </div>
    </>
  )
}

function Loading() {
  return (
    <p class="muted">{connection.value === 'lost' ? 'The server does not answer. Is it still running?' : 'Loading…'}</p>
  )
}

function View({ parts }: { readonly parts: readonly string[] }) {
  const [view, ...rest] = parts
  switch (view) {
    case 'jobs':
      return rest.length > 1 ? (
        <JobView kind={rest[0] ?? ''} id={rest[1] ?? ''} tab={rest[2] ?? 'pages'} />
      ) : (
        <JobsView />
      )
    case 'changes':
      return <ChangesView />
    case 'browsers':
      return <BrowsersView id={rest[0]} />
    case 'activity':
      return <ActivityView />
    case 'keys':
      return <KeysView />
    case 'api':
      return <ApiView />
    default:
      return <TryView />
  }
}

async function logOut(): Promise<void> {
  await call('ui/logout', { method: 'POST' }).catch(() => undefined)
  await askAccess()
}
