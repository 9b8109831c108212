// Monitors as a plugin: a property of the engine, which keeps their schedule while the engine is open.
import {
  check,
  defineFeature,
  definePlugin,
  historyPort,
  llmPort,
  missingPort,
  type FeatureCall,
  type FeatureKit,
} from '@harvestman/core/plugin'
import { makeNotifier, type Notifier } from '@harvestman/ports/adapters'

import { feedOf, type Feed, type FeedForm } from './feed.ts'
import type { MonitorKit } from './kit.ts'
import { monitorsOptionsSchema, type GivenOptions, type MonitorsOptions } from './options.ts'
import { checkRecords, isOver } from './records/check.ts'
import { indexes } from './records/indexes.ts'
import { monitorRecords } from './records/monitor.ts'
import type { ChangedMonitor, CheckStatus, NewMonitor, PageStatus } from './requests/monitor.ts'
import { makePoster } from './notify/poster.ts'
import { mailRule } from './notify/mail-rule.ts'
import { smtpMail } from './notify/smtp.ts'
import { makeScheduler } from './run/scheduler.ts'
import { createMonitor, deleteMonitor, runMonitor, updateMonitor, type Changer } from './service/changes.ts'
import { monitorMissing, type OfTeam as TeamGiven } from './service/find.ts'
import { getCheck, getMonitor, listChecks, listMonitors } from './service/read.ts'
import { showCheck, type Check, type CheckWithPages, type Monitor } from './shown.ts'

type OfTeam = Pick<FeatureCall, 'team'>

/** Which of a list is given. */
export interface Listing {
  /** 1 to 100; 25 when absent. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** The monitors of an engine. */
export interface Monitors {
  /** Makes a monitor, and begins to keep the schedule. */
  create(monitor: NewMonitor, call?: FeatureCall): Promise<Monitor>
  /** Those of a team, the newest first. */
  list(range?: Listing, call?: OfTeam): Promise<readonly Monitor[]>
  get(id: string, call?: OfTeam): Promise<Monitor>
  /** Changes what is named. */
  update(id: string, changes: ChangedMonitor, call?: FeatureCall): Promise<Monitor>
  pause(id: string, call?: FeatureCall): Promise<Monitor>
  resume(id: string, call?: FeatureCall): Promise<Monitor>
  /** Begins a check now. Rejects with `conflict` while one runs, and for a monitor that is paused. */
  run(id: string, call?: FeatureCall): Promise<Check>
  /** Deletes a monitor and its checks, and ends the one that runs. */
  delete(id: string, call?: OfTeam): Promise<void>
  /** The checks of a monitor, the newest first. */
  checks(
    id: string,
    range?: Listing & { readonly status?: CheckStatus | undefined },
    call?: OfTeam,
  ): Promise<readonly Check[]>
  /** A check with some of its pages: at most `limit`, without the first `skip`. */
  check(
    id: string,
    checkId: string,
    range?: { readonly limit?: number; readonly skip?: number; readonly status?: PageStatus | undefined },
    call?: OfTeam,
  ): Promise<CheckWithPages>
  /** Checks of a monitor as they end, from now on, wherever they run. It goes on until its signal is aborted. */
  watch(id: string, options?: OfTeam & { readonly signal?: AbortSignal | undefined }): AsyncIterable<Check>
  /** What a monitor has found, for readers of feeds, by the secret in the address of its feed: `feed` of the monitor. */
  feed(secret: string, form?: FeedForm): Promise<Feed>
  /** Returns whether the operator allows mails to an address. */
  mayMail(address: string): boolean
  /** Begins to keep the schedule. A program that makes no monitor calls it when it starts. */
  start(): void
  /** Milliseconds that the most overdue check of all teams has been due; 0 when none is. */
  lag(): Promise<number>
}

/** Monitors for an engine: `createEngine({ plugins: [monitors()] })` has `engine.monitors`. */
export function monitors(options: MonitorsOptions = {}) {
  const given = check(monitorsOptionsSchema, options)
  const feature = defineFeature({
    name: 'monitors',
    activities: { monitor: 'monitor' },
    open: (kit) => openMonitors(kit, given),
    close: async (opened) => closers.get(opened)?.(),
  })
  return definePlugin({ name: 'monitors', features: [feature] })
}

/** What `monitors` adds to an engine. */
export type MonitorsPlugin = ReturnType<typeof monitors>

/** What is waited for when the engine is closed. */
const closers = new WeakMap<Monitors, () => Promise<void>>()

function openMonitors(kit: FeatureKit, options: GivenOptions): Monitors {
  const own = kitOf(kit)
  const news = makeNotifier()
  const senders = { mail: options.mail && smtpMail(options.mail), folder: options.folder, mayMail: mailRule(options) }
  const poster = makePoster(senders, own)
  const scheduler = makeScheduler(own, { ...options, ended: () => news.notify(), also: () => poster.look() })
  const start = (): void => {
    scheduler.start()
    scheduler.stir()
  }
  const lag = async (): Promise<number> => {
    const [first] = await own.indexes.due(1)
    return first ? Math.max(0, kit.clock.now() - first.at) : 0
  }
  const opened = {
    ...doors(kit, own, start),
    ...watcher(kit, own, news, options.lookEvery),
    mayMail: senders.mayMail,
    start,
    lag,
  }
  closers.set(opened, async () => {
    await Promise.all([scheduler.idle(), poster.idle()])
  })
  return opened
}

function kitOf(kit: FeatureKit): MonitorKit {
  const { store } = kit
  const history = kit.port(historyPort)
  if (!history) throw missingPort(historyPort, 'engine.monitors')
  return {
    ...kit,
    ...{ monitors: monitorRecords(store), checks: checkRecords(store), indexes: indexes(store) },
    ...{ history, llm: kit.port(llmPort) },
  }
}

function doors(
  kit: FeatureKit,
  own: MonitorKit,
  stir: () => void,
): Omit<Monitors, 'watch' | 'start' | 'mayMail' | 'lag'> {
  const changing = { ...own, stir }
  const of = ({ team = kit.team }: OfTeam): TeamGiven => ({ team })
  const asked = <T>(call: FeatureCall, input: unknown, work: (caller: Changer) => Promise<T>): Promise<T> =>
    kit.admit({ endpoint: 'monitor', input }, call, ({ team }) => work({ team, scopes: call.scopes }))
  // The activity shows the name of the monitor.
  const named = (id: string, call: FeatureCall): Promise<object> =>
    getMonitor(id, of(call), own).then(
      ({ name }) => ({ query: name }),
      () => ({}),
    )
  const update: Monitors['update'] = async (id, changes, call = {}) =>
    asked(call, await named(id, call), (caller) => updateMonitor(id, changes, caller, changing))
  return {
    update,
    create: (input, call = {}) =>
      asked(call, { query: input.name }, (caller) => createMonitor(input, caller, changing)),
    pause: (id, call) => update(id, { status: 'paused' }, call),
    resume: (id, call) => update(id, { status: 'active' }, call),
    run: async (id, call = {}) => asked(call, await named(id, call), (caller) => runMonitor(id, caller, changing)),
    list: async (range = {}, call = {}) => listMonitors(range, of(call), own),
    get: async (id, call = {}) => getMonitor(id, of(call), own),
    delete: async (id, call = {}) => deleteMonitor(id, of(call), own),
    checks: async (id, range = {}, call = {}) => listChecks(id, range, of(call), own),
    feed: async (secret, form = 'rss') => {
      const id = await own.indexes.ofFeed(secret)
      const record = id === undefined ? undefined : await own.monitors.get(id)
      if (!record) throw monitorMissing()
      return feedOf(record, form, own)
    },
    check: async (id, checkId, range = {}, call = {}) => getCheck(id, checkId, range, of(call), own),
  }
}

const portion = 100

function watcher(kit: FeatureKit, own: MonitorKit, news: Notifier, lookEvery: number): Pick<Monitors, 'watch'> {
  async function* watch(
    id: string,
    { team = kit.team, signal }: OfTeam & { readonly signal?: AbortSignal | undefined } = {},
  ) {
    const until = AbortSignal.any([kit.signal, ...(signal ? [signal] : [])])
    const [newest] = await own.checks.list(id, 1)
    // One that runs already is told when it ends: what is behind the newest that is over is new.
    let after = newest && isOver(newest) ? newest.id : (await own.checks.list(id, 2))[1]?.id
    while (!until.aborted) {
      const stop = new AbortController()
      const either = AbortSignal.any([until, stop.signal])
      const stirred = Promise.race([news.wait(either), kit.clock.sleep(lookEvery, either)]).catch(() => undefined)
      for (const one of await own.checks.since(id, portion, after)) {
        if (!isOver(one) || one.team !== team) break
        after = one.id
        yield showCheck(one)
      }
      await stirred
      stop.abort()
    }
  }
  return { watch }
}
