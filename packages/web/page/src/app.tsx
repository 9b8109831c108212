import { useEffect, useRef } from 'preact/hooks'

import { access, askAccess, client, connection } from './lib/api.ts'
import { forgetAll } from './lib/history.ts'
import { pageKind } from './lib/job-list.ts'
import { isPaletteOpen } from './lib/palette.ts'
import { href, place, subjectOf } from './lib/router.ts'
import { said } from './lib/say.ts'
import { theme, type Theme } from './lib/theme.ts'
import { everyday, legs, menuGroups, views } from './lib/views.ts'
import { later } from './parts/later.tsx'
import { Help, useKeys } from './parts/help.tsx'
import { Empty, Heading } from './parts/pieces.tsx'
import { Routed } from './parts/routed.tsx'
import { TryView } from './views/try.tsx'

const ActivityView = later(async () => (await import('./views/activity.tsx')).ActivityView)
const AnswerView = later(async () => (await import('./views/answer.tsx')).AnswerView)
const ApiView = later(async () => (await import('./views/reference.tsx')).ApiView)
const BrowsersView = later(async () => (await import('./views/browsers.tsx')).BrowsersView)
const ChangesView = later(async () => (await import('./views/changes.tsx')).ChangesView)
const ConnectView = later(async () => (await import('./views/connect.tsx')).ConnectView)
const JobView = later(async () => (await import('./views/job.tsx')).JobView)
const JobsView = later(async () => (await import('./views/jobs.tsx')).JobsView)
const KeysView = later(async () => (await import('./views/keys.tsx')).KeysView)
const LoginView = later(async () => (await import('./views/login.tsx')).LoginView)
const DatasetsView = later(async () => (await import('./views/datasets.tsx')).DatasetsView)
const MonitorsView = later(async () => (await import('./views/monitors.tsx')).MonitorsView)
const PageView = later(async () => (await import('./views/page.tsx')).PageView)
const Palette = later(async () => (await import('./parts/palette.tsx')).Palette, null)
const ScriptsView = later(async () => (await import('./views/scripts.tsx')).ScriptsView)
const StatusView = later(async () => (await import('./views/status.tsx')).StatusView)

const themes: Readonly<Record<Theme, { readonly next: Theme; readonly label: string; readonly sign: string }>> = {
  system: { next: 'dark', label: 'Theme: system', sign: '◐' },
  dark: { next: 'light', label: 'Theme: dark', sign: '●' },
  light: { next: 'system', label: 'Theme: light', sign: '○' },
}

export function App() {
  useEffect(() => void askAccess().catch(() => undefined), [])
  const { parts } = place.value
  const help = useKeys()
  const known = access.value
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#/try">
          <Mark />
          Harvestman
        </a>
        <nav aria-label="Views">
          {views
            .filter(([id]) => everyday.includes(id))
            .map(([id, label]) => (
              <ViewLink key={id} id={id} label={label} current={parts[0]} />
            ))}
          <MoreViews current={parts[0]} />
        </nav>
        <span class="spacer" />
        {connection.value === 'lost' && (
          <span class="small error" role="status">
            Reconnecting…
          </span>
        )}
        <button
          type="button"
          class="plain icon"
          title="Find (Ctrl K)"
          aria-label="Find a view, a job or a request"
          onClick={() => (isPaletteOpen.value = true)}
        >
          <svg class="lens" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="6.5" cy="6.5" r="4.5" />
            <path d="m10 10 4.5 4.5" />
          </svg>
        </button>
        <button
          type="button"
          class="plain icon"
          title={themes[theme.value].label}
          aria-label={themes[theme.value].label}
          onClick={() => (theme.value = themes[theme.value].next)}
        >
          <span aria-hidden="true">{themes[theme.value].sign}</span>
        </button>
        {known?.isIn && !known.isOpen && (
          <button type="button" class="plain small" onClick={() => void logOut()}>
            Log out
          </button>
        )}
      </header>
      <main id="main">
        {known === undefined ? (
          <Loading />
        ) : known.isIn || parts[0] === 'keys' ? (
          <Routed key={subjectOf(place.value)}>
            <View parts={parts} />
          </Routed>
        ) : (
          <LoginView />
        )}
      </main>
      <Help dialog={help} />
      {isPaletteOpen.value && known?.isIn && <Palette views={views} />}
      <div class={said.value ? 'toast' : 'sr'} role="status" aria-live="polite">
        {said.value}
      </div>
    </>
  )
}

interface ViewLinkProps {
  readonly id: string
  readonly label: string
  readonly current: string | undefined
}

function ViewLink({ id, label, current }: ViewLinkProps) {
  return (
    <a href={href([id])} aria-current={current === id ? 'page' : undefined}>
      {label}
    </a>
  )
}

/** The menu with the less common views. Its label is the name of the open view, if it is in the menu. */
function MoreViews({ current }: { readonly current: string | undefined }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const rest = views.filter(([id]) => !everyday.includes(id))
  const open = rest.find(([id]) => id === current)
  const close = (): void => {
    if (menu.current) menu.current.open = false
  }
  useEffect(() => {
    close()
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !menu.current?.contains(target)) close()
    }
    addEventListener('click', closeOutside)
    return () => removeEventListener('click', closeOutside)
  }, [current])
  return (
    <details
      class="more"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        close()
        menu.current?.querySelector('summary')?.focus()
      }}
    >
      <summary class={open ? 'chosen' : ''}>{open ? open[1] : 'More'}</summary>
      <div class="menu">
        {menuGroups.map(([title, ids]) => (
          <div class="group" role="group" aria-label={title} key={title}>
            <span class="small muted" aria-hidden="true">
              {title}
            </span>
            {rest
              .filter(([id]) => ids.includes(id))
              .map(([id, label]) => (
                <ViewLink key={id} id={id} label={label} current={current} />
              ))}
          </div>
        ))}
      </div>
    </details>
  )
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d={legs} />
      <circle cx="16" cy="16" r="4.5" />
    </svg>
  )
}

function Loading() {
  return <p class="muted">{connection.value === 'lost' ? 'The server does not respond. Is it running?' : 'Loading…'}</p>
}

function View({ parts }: { readonly parts: readonly string[] }) {
  const [view, ...rest] = parts
  switch (view) {
    case 'jobs':
      return <Jobs kind={rest[0]} id={rest[1]} tab={rest[2]} />
    case 'changes':
      return <ChangesView />
    case 'monitors':
      return <MonitorsView id={rest[0]} check={rest[1]} />
    case 'browsers':
      return <BrowsersView id={rest[0]} />
    case 'scripts':
      return <ScriptsView name={rest[0]} />
    case 'activity':
      return <ActivityView />
    case 'datasets':
      return <DatasetsView name={rest[0]} />
    case 'page':
      return <PageView id={rest[0] ?? ''} />
    case 'status':
      return <StatusView />
    case 'keys':
      return <KeysView />
    case 'connect':
      return <ConnectView />
    case 'api':
      return <ApiView />
    case 'try':
      return <TryView />
    default:
      return <Missing />
  }
}

function Missing() {
  return (
    <>
      <Heading>Not found</Heading>
      <Empty>
        <span>No view has this URL.</span>
        <a class="button" href={href(['try'])}>
          Try a page
        </a>
        <a class="button" href={href(['jobs'])}>
          Jobs
        </a>
      </Empty>
    </>
  )
}

interface JobsProps {
  readonly kind: string | undefined
  readonly id: string | undefined
  readonly tab: string | undefined
}

function Jobs({ kind, id, tab }: JobsProps) {
  if (kind === undefined || id === undefined) return <JobsView />
  return pageKind(kind) ? <JobView kind={kind} id={id} tab={tab} /> : <AnswerView kind={kind} id={id} />
}

/** Focuses the heading without changing the URL hash, which selects the view. */
function skip(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('h1')?.focus()
}

async function logOut(): Promise<void> {
  await client.request('/ui/logout', { method: 'POST' }).catch(() => undefined)
  forgetAll()
  await askAccess()
}
