// Sends the messages of ended checks. Each is delivered at least once or given up after the retry period.
import { deliver, readOutbox } from '@harvestman/webhooks'
import type { Json } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import { monitorKeys } from '../keys.ts'
import { isOver, type CheckRecord } from '../records/check.ts'
import { keepOf } from '../run/writer.ts'
import { channelsOf, type Channel, type Senders } from './channels.ts'
import { newsOf } from './told.ts'

/** Milliseconds after the end of a check until undelivered messages are given up. */
const longest = 3_600_000

/** Sends the messages of an ended check. Rejects if it must be retried. */
export async function postCheck(monitor: string, id: string, senders: Senders, kit: MonitorKit): Promise<void> {
  const { checks, monitors } = kit
  const [record, check] = await Promise.all([monitors.get(monitor), checks.get(monitor, id)])
  if (!record || !check || !isOver(check)) return
  const told = { record, check, pages: await newsOf(check, kit) }
  const channels = channelsOf(told, senders, kit)
  const states = await Promise.all(channels.map((channel) => sendAll(channel, check, keepOf(record), kit)))
  const status = Object.fromEntries(channels.map(({ name }, at) => [name, states[at] ?? {}]))
  await checks.update(
    monitor,
    id,
    keepOf(record),
    (old) => old && { ...old, notificationStatus: { ...quiet(record.notification, senders), ...status } },
  )
}

/** Returns the status of channels that are requested but unavailable here: not attempted. */
function quiet(
  notification: {
    readonly email?: { readonly enabled: boolean; readonly recipients: readonly string[] } | undefined
    readonly slack?: { readonly enabled: boolean; readonly url?: string | undefined } | undefined
  } | null,
  { mail, mayMail }: Senders,
): Record<string, Json> {
  const cannot = { attempted: false, success: false }
  const refused = notification?.email?.recipients.filter((address) => !mayMail(address)) ?? []
  return {
    ...(notification?.email?.enabled === true &&
      !mail && { email: { ...cannot, error: 'This engine has no mail server.' } }),
    ...(notification?.email?.enabled === true &&
      mail !== undefined &&
      refused.length > 0 && { email: { ...cannot, error: notAllowed(refused) } }),
    ...(notification?.slack?.enabled === true &&
      notification.slack.url === undefined && { slack: { ...cannot, error: 'It has no address.' } }),
  }
}

function notAllowed(recipients: readonly string[]): string {
  return `The operator does not allow mails to ${recipients.join(', ')}. Its setting mailTo (HARVESTMAN_MAIL_TO) lists who may be sent mails.`
}

async function sendAll(
  { name, source, send }: Channel,
  check: CheckRecord,
  keep: ReturnType<typeof keepOf>,
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
    await deliver({ source, send, store, name: outbox, keep: () => keep, clock, signal, asked })
  } catch (error) {
    if (!given.signal.aborted) throw error
  } finally {
    given.abort()
  }
  const { count, pending, dead } = await readOutbox(store, outbox)
  const failed = pending.length + dead.length
  const why = [...dead, ...pending].find((one) => one.why !== undefined)?.why
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
