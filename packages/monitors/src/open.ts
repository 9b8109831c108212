// The operations behind the monitor endpoints. Input is already validated.
import {
  historyPort,
  llmPort,
  missingPort,
  type EndpointCall,
  type FeatureCall,
  type FeatureKit,
} from '@harvestman/core/plugin'
import { makeNotifier, type Notifier } from '@harvestman/toolbox/notifier'
import type { z } from 'zod'

import { feedForms, feedOf, type Feed } from './feed.ts'
import type { MonitorKit } from './kit.ts'
import { makeInvite } from './notify/invite.ts'
import { linksAt } from './email/links.ts'
import { mailRule } from './notify/mail-rule.ts'
import { postCheck } from './notify/post.ts'
import { smtpMail } from './notify/smtp.ts'
import { subscriptionsOf } from './notify/subscriptions.ts'
import type { GivenOptions } from './options.ts'
import { checkRecords, isOver } from './records/check.ts'
import { indexes } from './records/indexes.ts'
import { monitorRecords, type MonitorRecord } from './records/monitor.ts'
import { recipientRecords } from './records/recipients.ts'
import type { checkPagesSchema } from './requests/monitor.ts'
import type { Check, CheckWithPages, Monitor } from './results.ts'
import { makeCheckJobs } from './run/jobs.ts'
import { makeScheduler } from './run/scheduler.ts'
import type { ChangeKit } from './service/changes.ts'
import { findMonitor, monitorMissing } from './service/find.ts'
import { getCheck } from './service/read.ts'
import { showCheck, showMonitor } from './shown.ts'

/** Context of the monitor endpoints. */
export interface OpenMonitors {
  readonly own: ChangeKit
  /** Converts a record to the monitor that the API returns. */
  show(record: MonitorRecord, call: Pick<EndpointCall, 'apiUrl'>): Promise<Monitor>
  /** Converts a record to the monitor that lists contain. */
  showInList(record: MonitorRecord, call: Pick<EndpointCall, 'apiUrl'>): Monitor
  /** Starts the scheduler and wakes it. */
  start(): void
  /** Returns how long the most overdue check of all teams has been due, in milliseconds; 0 if none is. */
  lag(): Promise<number>
  watch(id: string, options?: WatchOptions): AsyncGenerator<Check, void, void>
  /** Resolves when no work is running. */
  idle(): Promise<void>
}

/** Options of `watch`. */
export interface WatchOptions extends Pick<FeatureCall, 'team' | 'signal'> {}

/**
 * Opens the monitors of an engine. Nothing runs until its scheduler is started. Throws `not_configured` if the engine has no
 * history of pages.
 */
export function openMonitors(kit: FeatureKit, options: GivenOptions): OpenMonitors {
  const own = kitOf(kit)
  const news = makeNotifier()
  const ruleOf = mailRule(options)
  const mail = options.mail && smtpMail(options.mail)
  const linkTo = linksAt(options.publicUrl)
  const senders = { mail, folder: options.folder, ruleOf, linkTo }
  const invite = makeInvite(own, { mail, ruleOf, linkTo })
  const jobs = makeCheckJobs(own, {
    checksAtOnce: options.checksAtOnce,
    ended: () => news.notify(),
    post: (monitor, check, by) => postCheck(monitor, check, senders, by),
  })
  const scheduler = makeScheduler(own, jobs, options.pollInterval)
  const start = (): void => {
    scheduler.start()
    scheduler.poll()
  }
  return {
    own: { ...own, jobs, invite, wake: start },
    show: async (record, { apiUrl }) => {
      const subscriptions = await subscriptionsOf(record, ruleOf, own)
      return showMonitor(record, { now: kit.clock.now(), apiUrl, subscriptions })
    },
    showInList: (record, { apiUrl }) => showMonitor(record, { now: kit.clock.now(), apiUrl }),
    start,
    lag: async () => {
      const [first] = await own.indexes.due(1)
      return first ? Math.max(0, kit.clock.now() - first.at) : 0
    },
    watch: watcher(kit, own, news, options.pollInterval),
    idle: () => scheduler.idle(),
  }
}

function kitOf(kit: FeatureKit): MonitorKit {
  const { store } = kit
  const history = kit.port(historyPort)
  if (!history) throw missingPort(historyPort, 'engine.monitors')
  return {
    ...kit,
    ...{ monitors: monitorRecords(store), checks: checkRecords(store), indexes: indexes(store) },
    recipients: recipientRecords(store),
    ...{ history, llm: kit.port(llmPort) },
  }
}

/** Returns the name of the monitor of a call. Rejects with `not_found` if the team has none with this id. */
export async function nameOf(
  { own }: OpenMonitors,
  { params: { id }, team }: EndpointCall<{ readonly id: string }>,
): Promise<string> {
  return (await findMonitor(id, { team }, own)).name
}

/**
 * Returns a check with some of its pages, and the URL of the next ones if there are more. Rejects with `not_found` if the team
 * has no such check.
 */
export async function readCheck(
  { own }: OpenMonitors,
  call: EndpointCall<Readonly<Record<'id' | 'checkId', string>>, z.output<typeof checkPagesSchema>>,
): Promise<CheckWithPages> {
  const { params, input, team, apiUrl = '' } = call
  const { check, pages, hasMore } = await getCheck(params.id, params.checkId, input, { team }, own)
  const found = { ...showCheck(check), pages }
  if (!hasMore) return found
  const { limit, skip, status } = input
  const more = new URLSearchParams({ skip: String(skip + limit), limit: String(limit), ...(status && { status }) })
  return { ...found, next: `${apiUrl}/v2/monitor/${params.id}/checks/${params.checkId}?${more.toString()}` }
}

/** Returns the feed that a secret belongs to. Rejects with `not_found` if there is none. An unknown format is read as RSS. */
export async function readFeed(
  { own }: OpenMonitors,
  { params: { secret, form } }: EndpointCall<Readonly<Record<'secret' | 'form', string>>>,
): Promise<Feed> {
  const id = await own.indexes.ofFeed(secret)
  const record = id === undefined ? undefined : await own.monitors.get(id)
  if (!record) throw monitorMissing()
  return feedOf(record, feedForms.find((one) => one === form) ?? 'rss', own)
}

const portion = 100

function watcher(kit: FeatureKit, own: MonitorKit, news: Notifier, pollInterval: number): OpenMonitors['watch'] {
  return async function* watch(id, { team = kit.team, signal } = {}) {
    const until = AbortSignal.any([kit.signal, ...(signal ? [signal] : [])])
    const [newest] = await own.checks.list(id, 1)
    // If the newest check is still running, start after the one before it, so that its end is reported.
    let after = newest && isOver(newest) ? newest.id : (await own.checks.list(id, 2))[1]?.id
    while (!until.aborted) {
      const stop = new AbortController()
      const either = AbortSignal.any([until, stop.signal])
      const stirred = Promise.race([news.wait(either), kit.clock.sleep(pollInterval, either)]).catch(() => undefined)
      for (const one of await own.checks.since(id, portion, after)) {
        if (!isOver(one) || one.team !== team) break
        after = one.id
        yield showCheck(one)
      }
      await stirred
      stop.abort()
    }
  }
}
