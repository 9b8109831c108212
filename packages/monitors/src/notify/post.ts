// Sends the messages of ended checks. Each is delivered at least once or given up after the retry period.
import { deliver, readOutbox } from '@harvestman/webhooks'
import type { Json } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import { monitorKeys } from '../keys.ts'
import { isOver, type CheckRecord } from '../records/check.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { retentionTtl } from '../run/writer.ts'
import { channelsOf, type Channel, type Senders } from './channels.ts'
import { subscriptionsOf, type Subscription } from './subscriptions.ts'
import { notifiedPages } from './notification.ts'

/** Milliseconds after the end of a check until undelivered messages are given up. */
const longest = 3_600_000

/**
 * Sends the messages of an ended check through all channels, with retries until one hour after its end, and stores their
 * status. A message that is not delivered causes a warning. Rejects if the store fails or the engine is closed. Does nothing if
 * the monitor was deleted or the check has not ended.
 */
export async function postCheck(monitor: string, id: string, senders: Senders, kit: MonitorKit): Promise<void> {
  const { checks, monitors } = kit
  const [record, check] = await Promise.all([monitors.get(monitor), checks.get(monitor, id)])
  if (!record || !check || !isOver(check)) return
  const told = { record, check, pages: await notifiedPages(check, kit) }
  const email = record.notification?.email?.enabled === true ? await emailStatusOf(record, senders, kit) : undefined
  const channels = channelsOf(told, email?.recipients ?? [], senders, kit)
  const states = await Promise.all(channels.map((channel) => sendAll(channel, check, retentionTtl(record), kit)))
  const status = Object.fromEntries(channels.map(({ name }, at) => [name, states[at] ?? {}]))
  const all = {
    ...withoutSender(record.notification),
    ...status,
    ...(email && { email: { ...email, ...status['email'] } }),
  }
  await checks.update(monitor, id, retentionTtl(record), (old) => old && { ...old, notificationStatus: all })
}

const notAttempted = { attempted: false, success: false }

/** Returns the status of a chat that cannot be reached from here. */
function withoutSender(notification: MonitorRecord['notification']): Record<string, Json> {
  const { enabled = false, url } = notification?.slack ?? {}
  return enabled && url === undefined ? { slack: { ...notAttempted, error: 'It has no URL.' } } : {}
}

interface EmailStatus {
  readonly attempted: boolean
  readonly success: boolean
  readonly recipients: readonly string[]
  readonly pendingRecipients?: readonly string[]
  readonly unsubscribedRecipients?: readonly string[]
  readonly error?: string
}

/** Returns the recipients who receive mails of a monitor, and why the others do not. */
async function emailStatusOf(record: MonitorRecord, { mail, ruleOf }: Senders, kit: MonitorKit): Promise<EmailStatus> {
  const all = await subscriptionsOf(record, ruleOf, kit)
  const withStatus = (wanted: Subscription['status']) =>
    all.filter(({ status }) => status === wanted).map(({ email }) => email)
  const [confirmed, pending, unsubscribed] = [
    withStatus('confirmed'),
    withStatus('pending'),
    withStatus('unsubscribed'),
  ]
  const refused = all.map(({ email }) => email).filter((address) => ruleOf(address) === 'never')
  const error = !mail
    ? 'This engine has no mail server.'
    : refused.length > 0
      ? notAllowed(refused)
      : pending.length > 0
        ? `These recipients have not confirmed: ${pending.join(', ')}.`
        : undefined
  return {
    ...{ attempted: false, success: error === undefined, recipients: confirmed },
    ...(pending.length > 0 && { pendingRecipients: pending }),
    ...(unsubscribed.length > 0 && { unsubscribedRecipients: unsubscribed }),
    ...(error !== undefined && { error }),
  }
}

function notAllowed(recipients: readonly string[]): string {
  return `The operator does not allow mails to ${recipients.join(', ')}. Its setting mailTo (HARVESTMAN_MAIL_TO) lists who may be sent mails.`
}

const pageLost = 'The page is no longer stored.'

async function sendAll(
  { name, source, send }: Channel,
  check: CheckRecord,
  keep: ReturnType<typeof retentionTtl>,
  kit: MonitorKit,
): Promise<Record<string, Json>> {
  const { store, clock } = kit
  const outbox = monitorKeys.outbox(`${check.id}/${name}`)
  const given = new AbortController()
  const signal = AbortSignal.any([kit.signal, given.signal])
  void clock.sleep(Math.max((check.finishedAt ?? 0) + longest - clock.now(), 1), signal).then(
    () => given.abort(),
    () => undefined,
  )
  try {
    const asked = (until: AbortSignal): Promise<void> =>
      new Promise((_, reject) => until.addEventListener('abort', () => reject(until.reason), { once: true }))
    await deliver({ source, send, store, name: outbox, keep: () => keep, clock, signal, redeliveryRequested: asked })
  } catch (error) {
    if (!given.signal.aborted) throw error
  } finally {
    given.abort()
  }
  const { count, pending, dead, lost = 0 } = await readOutbox(store, outbox)
  const failed = pending.length + dead.length + lost
  const why = [...dead, ...pending].find((one) => one.why !== undefined)?.why ?? (lost > 0 ? pageLost : undefined)
  if (failed > 0)
    kit.warn(
      `${failed} messages of the monitor ${check.monitorId} by ${name} were not delivered: ${why ?? 'no reason given'}`,
    )
  return {
    attempted: count > 0,
    success: failed === 0,
    delivered: count - failed,
    queued: 0,
    ...(why !== undefined && { error: why }),
  }
}
