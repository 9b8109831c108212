import type { LiveTab } from '@harvestman/ports'

import type { EndedFor } from '../chromium/renderers.ts'
import type { Message } from '../fence/heard.ts'
import type { Line } from '../fence/switch.ts'
import { browserFailed } from '../lib/errors.ts'
import type { Contexts } from '../fence/shared.ts'
import { crashedPage, isCrash, untilCrash, whyCrashed, type Crashable } from './crash.ts'

/** The tabs of a live browser, one of which is in front. */
export interface LiveTabs {
  readonly tabs: readonly LiveTab[]
  /** The tab in front. */
  page(): Promise<TabPage>
  pageOf(id: string): Promise<TabPage>
  /** Sends a command to a tab, even if its page does not respond. */
  send(id: string, method: string, params?: object): Promise<unknown>
  /** Returns why the page of a tab ended, as a predicate of a sentence, until the page is replaced. */
  whyCrashed(id: string): string | undefined
  /** Resolves when the page of a tab crashes, or when the tab is closed. */
  crash(id: string): Promise<void>
  show(id: string): Promise<void>
  /** Updates the titles, which the browser does not always report by itself. */
  refresh(): Promise<void>
  /**
   * Calls the function when tabs, their URLs or titles, or the tab in front change. Returns a function that removes the
   * listener.
   */
  listen(change: () => void): () => void
  /** Hides all tabs. Hidden pages are not drawn, and their timers are throttled. */
  hide(): Promise<void>
  /** Shows all tabs again. */
  reveal(): Promise<void>
  close(): void
}

export interface TabPage {
  readonly id: string
  /** Sends a command. Rejects with `action_failed` when the page crashes, since the browser would never respond. */
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>
  /** Listens to protocol events of the page. Returns a function that removes the listener. */
  listen(event: (method: string, params: Readonly<Record<string, unknown>>) => void): () => void
}

type Listener = (method: string, params: Readonly<Record<string, unknown>>) => void

interface Open extends Crashable {
  url: string
  title: string
  /** Opened as soon as there is a tab, because an unresponsive page does not accept a new session. */
  session: Promise<string> | undefined
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
  /** The tab in front. */
  front: string | undefined
  /** Handlers of the browser's events about tabs. */
  readonly hear: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>>
}

/** Tracks the tabs of the given contexts. The newest is in front until another one is chosen. */
function makeTabs(contexts: Contexts, opened: (id: string, tab: Open) => void, changed: () => void): Tabs {
  const open = new Map<string, Open>()
  const tabs: Tabs = {
    open,
    front: undefined,
    hear: {
      'Target.targetCreated': ({ targetInfo }) => {
        const { targetId, type, url, title, browserContextId } = targetInfo as TargetInfo
        if (type !== 'page' || !contexts.has(browserContextId)) return
        const tab: Open = { url, title, session: undefined, page: undefined, crash: undefined, onCrash: new Set() }
        open.set(targetId, tab)
        opened(targetId, tab)
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
        const tab = open.get(String(targetId))
        if (!tab) return
        open.delete(String(targetId))
        tellCrash(tab)
        if (tabs.front === targetId) tabs.front = [...open.keys()].at(-1)
        changed()
      },
    },
  }
  return tabs
}

function tellCrash(tab: Open): void {
  for (const listener of tab.onCrash) listener()
  tab.onCrash.clear()
}

// A page that was frozen is hidden, and stays so when it becomes active again. Focus emulation shows it.
const hidden = ['frozen', 'active'].map((state) => ['Page.setWebLifecycleState', { state }] as const)

/**
 * Creates the list of the tabs of a live browser, which one is in front, and whether their pages have crashed. `lastEnd`
 * returns why the last page was killed, if that was just now. `page` and `pageOf` reject with `browser_failed` if there is no
 * such tab.
 */
export async function makeLiveTabs(
  line: Line,
  contexts: Contexts,
  lastEnd: () => EndedFor | undefined,
): Promise<LiveTabs> {
  const watchers = new Set<() => void>()
  const changed = (): void => {
    for (const watcher of watchers) watcher()
  }
  const pages = makePages(line, lastEnd)
  const tabs = makeTabs(contexts, pages.attach, changed)

  line.onEvent = ({ sessionId, method = '', params = {} }: Message) => {
    if (method === 'Target.detachedFromTarget') pages.forget(String(params['sessionId']))
    if (sessionId === undefined || !line.owns(sessionId)) return tabs.hear[method]?.(params)
    pages.hear(sessionId, method, params)
  }
  await line.ask('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }, { exclude: true }] })

  /** Sends the same messages to all tabs. Errors are ignored, because a tab may be closed meanwhile. */
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
      if (!tab || front === undefined) return Promise.reject(browserFailed('The live browser has no tab left.'))
      return pages.of(front, tab)
    },
    ...accessTabs(line, tabs, pages),
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

/** Returns the methods that access tabs by id. */
function accessTabs(
  line: Line,
  { open }: Tabs,
  pages: Pages,
): Pick<LiveTabs, 'pageOf' | 'send' | 'whyCrashed' | 'crash'> {
  return {
    pageOf: (id) => {
      const tab = open.get(id)
      return tab ? pages.of(id, tab) : Promise.reject(browserFailed('The tab is closed.'))
    },
    send: async (id, method, params) => {
      const sessionId = await open.get(id)?.session
      return sessionId === undefined ? undefined : line.ask(method, params, sessionId)
    },
    whyCrashed: (id) => open.get(id)?.crash,
    crash: (id) =>
      new Promise((resolve) => {
        const tab = open.get(id)
        if (tab) tab.onCrash.add(resolve)
        else resolve()
      }),
  }
}

/** The protocol sessions of tabs. */
interface Pages {
  attach(id: string, tab: Open): void
  of(id: string, tab: Open): Promise<TabPage>
  hear(sessionId: string, ...event: Parameters<Listener>): void
  /** Removes the session of a closed tab. */
  forget(sessionId: string): void
}

function makePages(line: Line, lastEnd: () => EndedFor | undefined): Pages {
  const listeners = new Map<string, Set<Listener>>()
  const attached = new Map<string, Open>()
  const attach = async (id: string, tab: Open): Promise<string> => {
    try {
      const { sessionId } = await ask(line, 'Target.attachToTarget', { targetId: id, flatten: true })
      attached.set(String(sessionId), tab)
      return String(sessionId)
    } catch (error) {
      tab.session = undefined
      throw error
    }
  }
  const open = async (id: string, tab: Open): Promise<TabPage> => {
    const sessionId = await (tab.session ??= attach(id, tab))
    const mine = new Set<Listener>()
    listeners.set(sessionId, mine)
    const page: TabPage = {
      id,
      send: async (method, params) =>
        resultOf(method, await untilCrash(tab, method, () => line.ask(method, params, sessionId))),
      listen: (event) => {
        mine.add(event)
        return () => mine.delete(event)
      },
    }
    await page.send('Page.enable')
    return page
  }
  return {
    attach: (id, tab) => {
      tab.session ??= attach(id, tab)
      tab.session.catch(() => undefined)
    },
    of: (id, tab) => {
      const page = (tab.page ??= open(id, tab))
      page.catch(() => (tab.page = undefined))
      return page
    },
    hear: (sessionId, ...event) => {
      const tab = attached.get(sessionId)
      if (tab && event[0] === 'Inspector.targetCrashed') {
        tab.crash = whyCrashed(lastEnd())
        tellCrash(tab)
      }
      if (tab && event[0] === 'Inspector.targetReloadedAfterCrash') tab.crash = undefined
      for (const listener of listeners.get(sessionId) ?? []) listener(...event)
    },
    forget: (sessionId) => {
      attached.delete(sessionId)
      listeners.delete(sessionId)
    },
  }
}

async function ask(line: Line, method: string, params?: object, sessionId?: string) {
  return resultOf(method, await line.ask(method, params, sessionId))
}

function resultOf(method: string, { result, error }: Message) {
  if (isCrash(error)) throw crashedPage()
  if (error) throw browserFailed(`The browser did not carry out a step (${method}).`, causeOf(error))
  return result ?? {}
}

/** The browser's reason for refusing a command, such as that an element is gone. */
class Refusal extends Error {}

/** Errors without a code do not come from the browser: it is gone, or its connection is closed. */
function causeOf({ code, message }: NonNullable<Message['error']>): Error {
  return code === undefined ? new Error(message) : new Refusal(message)
}

/** Returns whether the browser refused a command of a tab. False if the page has crashed or the browser is gone. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Refusal
}
