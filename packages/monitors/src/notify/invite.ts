// Asks new recipients to confirm that they want mails of a monitor. The mails are sent by jobs.
import { digestOf } from '../ids.ts'
import type { MonitorKit } from '../kit.ts'
import { monitorKeys } from '../keys.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { RecipientRecord } from '../records/recipients.ts'
import type { LinkTo } from '../email/links.ts'
import { invitationOf } from './mail.ts'
import type { MailRule } from './mail-rule.ts'
import type { SendMail } from './smtp.ts'

/** Parts that send the mails. */
export interface InviteOptions {
  readonly ruleOf: MailRule
  readonly mail: SendMail | undefined
  readonly linkTo: LinkTo | undefined
}

/**
 * Stores the recipients of a monitor, and sends confirmation mails to new ones outside of the operator's team. Waits for the
 * first attempt to send each mail, but only for some seconds.
 */
export type Invite = (record: MonitorRecord) => Promise<void>

type InvitationRequest = { readonly monitor: string; readonly email: string }

const invitationsAtOnce = 16
/** Number of failures after which a mail is given up. */
const maxFailures = 8
/** Maximum number of confirmation mails of a team per day, because their recipients did not request them. */
const maxPerDay = 100
const day = 86_400_000
const maxWait = 5_000

/**
 * Defines the jobs that send confirmation mails, and returns the function that starts one. A mail that fails 8 times is given
 * up with a warning, and a team that has sent 100 in a day (UTC) sends no more until tomorrow. The function rejects if the
 * store fails.
 */
export function makeInvite(kit: MonitorKit, { ruleOf, mail, linkTo }: InviteOptions): Invite {
  const { recipients, monitors, clock, store } = kit
  const waiting = new Map<string, () => void>()
  const keyOf = ({ monitor, email }: InvitationRequest): string => `${monitor}/${digestOf(email)}`

  const send = async ({ monitor, email }: InvitationRequest, signal: AbortSignal): Promise<void> => {
    const [[recipient], record] = await Promise.all([recipients.find(monitor, [email]), monitors.get(monitor)])
    if (!recipient || !record || !isNew(recipient) || ruleOf(email) !== 'opt_in' || !mail || !linkTo) return
    await mail(invitationOf(record, recipient, linkTo, clock.now()), signal)
    await recipients.update(recipient, () => ({ invitedAt: clock.now() }))
  }
  const jobs = kit.ownWork<InvitationRequest>({
    kind: 'monitor-invitations',
    atOnce: invitationsAtOnce,
    run: async (request, { signal, failures }) => {
      try {
        await send(request, signal)
      } catch (error) {
        if (signal.aborted || failures + 1 < maxFailures) throw error
        kit.warn(`A confirmation mail of the monitor ${request.monitor} is given up.`)
      } finally {
        waiting.get(keyOf(request))?.()
      }
    },
  })

  /** Counts a mail. Returns whether the team may send it today. */
  const count = async (team: string): Promise<boolean> => {
    const key = monitorKeys.invitations(`${encodeURIComponent(team)}/${Math.floor(clock.now() / day)}`)
    const counted = await store.update(key, (old) => (typeof old === 'number' ? old : 0) + 1, { ttl: 2 * day })
    if (typeof counted !== 'number' || counted <= maxPerDay) return true
    kit.warn(`The team ${team} has sent ${maxPerDay} confirmation mails today, and sends no more until tomorrow.`)
    return false
  }

  const invite = async ({ monitor, email }: RecipientRecord, team: string): Promise<void> => {
    if (!(await count(team))) return
    const request = { monitor, email }
    const key = keyOf(request)
    const until = new AbortController()
    const attempted = new Promise<void>((resolve) => waiting.set(key, resolve))
    try {
      const { hasEnded } = await jobs.start(request, { team, key })
      // An earlier job could not send it: it was given up, or there was no mail server.
      if (hasEnded) await jobs.start(request, { team, key: `${key}/${clock.now()}` })
      const signal = AbortSignal.any([kit.signal, until.signal])
      await Promise.race([attempted, clock.sleep(maxWait, signal).catch(() => undefined)])
    } finally {
      until.abort()
      waiting.delete(key)
    }
  }

  return async ({ id, team, notification }) => {
    const { enabled = false, recipients: emails = [] } = notification?.email ?? {}
    if (!enabled) return
    const added = await Promise.all(emails.map((email) => recipients.add(id, email)))
    if (!mail) return
    const fresh = added.filter((one) => isNew(one) && ruleOf(one.email) === 'opt_in')
    if (fresh.length > 0 && !linkTo)
      return kit.warn(
        'Recipients of monitors cannot be asked to confirm: set publicUrl (HARVESTMAN_PUBLIC_URL) to the URL of this server.',
      )
    await Promise.all(fresh.map((one) => invite(one, team)))
  }
}

function isNew({ decision, invitedAt }: RecipientRecord): boolean {
  return decision === null && invitedAt === null
}
