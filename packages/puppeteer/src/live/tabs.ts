import type { LiveTab } from '@harvestman/ports'

import type { Message } from '../fence/heard.ts'
import type { Line } from '../fence/switch.ts'
import { browserFailed } from '../lib/errors.ts'
import type { Contexts } from '../fence/shared.ts'

/** The tabs of a live browser, one of which is in front. */
export interface LiveTabs {
  readonly tabs: readonly LiveTab[]
  /** The tab in front. */
  page(): Promise<TabPage>
  show(id: string): Promise<void>
  /** Asks for the titles, which the browser does not tell of by itself. */
  refresh(): Promise<void>
  /** Told when tabs, their addresses or the one in front change. Gives what ends that. */
  listen(change: () => void): () => void
  /** Hides all tabs: what is hidden draws nothing, and its timers are slow. */
  hide(): Promise<void>
  /** Shows them again. */
  reveal(): Promise<void>
  close(): void
}

export interface TabPage {
  readonly id: string
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>
  /** Told of what happens in the page. Gives what ends that. */
  listen(event: (method: string, params: Readonly<Record<string, unknown>>) => void): () => void
}

type Listener = (method: string, params: Readonly<Record<string, unknown>>) => void

interface Open {
  url: string
  title: string
  page: Promise<TabPage> | undefined
}

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly title: string
  readonly browserContextId?: string
}

interface Tabs {
  readonly open: ReadonlyMap<string, Open>
  /** The tab that is shown. */
  front: string | undefined
  /** What the browser says of them, by its events. */
  readonly hear: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>>
}

/** The tabs of one context: the newest is shown, until another is chosen. */
function makeTabs(contexts: Contexts, changed: () => void): Tabs {
  const open = new Map<string, Open>()
  const tabs: Tabs = {
    open,
    front: undefined,
    hear: {
      'Target.targetCreated': ({ targetInfo }) => {
        const { targetId, type, url, title, browserContextId } = targetInfo as TargetInfo
        if (type !== 'page' || !contexts.has(browserContextId)) return
        open.set(targetId, { url, title, page: undefined })
        tabs.front = targetId
        changed()
      },
      'Target.targetInfoChanged': ({ targetInfo }) => {
        const { targetId, url, title } = targetInfo as TargetInfo
        const tab = open.get(targetId)
        if (!tab || (tab.url === url && tab.title === title)) return
        Object.assign(tab, { url, title })
        changed()
      },
      'Target.targetDestroyed': ({ targetId }) => {
        if (!open.delete(String(targetId))) return
        if (tabs.front === targetId) tabs.front = [...open.keys()].at(-1)
        changed()
      },
    },
  }
  return tabs
}

// A page that is frozen is hidden, and stays so when it goes on. One whose focus is emulated is shown.
const hidden = ['frozen', 'active'].map((state) => ['Page.setWebLifecycleState', { state }] as const)

export async function makeLiveTabs(line: Line, contexts: Contexts): Promise<LiveTabs> {
  const watchers = new Set<() => void>()
  const changed = (): void => {
    for (const watcher of watchers) watcher()
  }
  const tabs = makeTabs(contexts, changed)
  const pages = makePages(line)

  line.onEvent = ({ sessionId, method = '', params = {} }: Message) => {
    if (sessionId === undefined || !line.owns(sessionId)) return tabs.hear[method]?.(params)
    pages.hear(sessionId, method, params)
  }
  await line.ask('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }, { exclude: true }] })

  /** Sends the same to all tabs. One that goes away meanwhile needs it no more. */
  const sendAll = async (...messages: readonly (readonly [method: string, params: object])[]): Promise<void> => {
    const sendTo = async (id: string, tab: Open): Promise<void> => {
      const page = await pages.of(id, tab)
      for (const [method, params] of messages) await page.send(method, params)
    }
    await Promise.all([...tabs.open].map(([id, tab]) => sendTo(id, tab).catch(() => undefined)))
  }

  return {
    get tabs() {
      return [...tabs.open].map(([id, { url, title }]) => ({ id, url, title, isShown: id === tabs.front }))
    },
    page: () => {
      const { front } = tabs
      const tab = front === undefined ? undefined : tabs.open.get(front)
      if (!tab || front === undefined) return Promise.reject(browserFailed('The live browser has no tab any more.'))
      return pages.of(front, tab)
    },
    refresh: async () => {
      const { targetInfos } = await ask(line, 'Target.getTargets')
      for (const targetInfo of targetInfos as TargetInfo[]) tabs.hear['Target.targetInfoChanged']?.({ targetInfo })
    },
    show: async (id) => {
      if (!tabs.open.has(id)) return
      tabs.front = id
      await line.ask('Target.activateTarget', { targetId: id })
      changed()
    },
    listen: (change) => {
      watchers.add(change)
      return () => watchers.delete(change)
    },
    hide: () => sendAll(['Emulation.setFocusEmulationEnabled', { enabled: false }], ...hidden),
    reveal: () => sendAll(['Emulation.setFocusEmulationEnabled', { enabled: true }]),
    close: () => line.close(),
  }
}

/** The sessions with tabs: each is opened when it is first needed. */
interface Pages {
  of(id: string, tab: Open): Promise<TabPage>
  hear(sessionId: string, ...event: Parameters<Listener>): void
}

function makePages(line: Line): Pages {
  const listeners = new Map<string, Set<Listener>>()
  const attach = async (id: string): Promise<TabPage> => {
    const attached = await ask(line, 'Target.attachToTarget', { targetId: id, flatten: true })
    const sessionId = String(attached['sessionId'])
    const mine = new Set<Listener>()
    listeners.set(sessionId, mine)
    const page: TabPage = {
      id,
      send: (method, params) => ask(line, method, params, sessionId),
      listen: (event) => {
        mine.add(event)
        return () => mine.delete(event)
      },
    }
    await page.send('Page.enable')
    return page
  }
  return {
    of: (id, tab) => {
      const page = (tab.page ??= attach(id))
      page.catch(() => (tab.page = undefined))
      return page
    },
    hear: (sessionId, ...event) => {
      for (const listener of listeners.get(sessionId) ?? []) listener(...event)
    },
  }
}

async function ask(line: Line, method: string, params?: object, sessionId?: string) {
  const { result, error } = await line.ask(method, params, sessionId)
  if (error) throw browserFailed(`The browser did not carry out a step (${method}).`, new Error(error.message))
  return result ?? {}
}
