// The recipients of a monitor's mails, each with whether it receives them.
import type { MonitorKit } from '../kit.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import type { RecipientRecord } from '../records/recipients.ts'
import type { Monitor } from '../results.ts'
import type { MailRule } from './mail-rule.ts'

/** A recipient as the API shows it. */
export type Subscription = NonNullable<Monitor['emailRecipientSubscriptions']>[number]

/**
 * Returns the mail recipients that a monitor names, each with the state of its subscription. Empty if it names none. Rejects
 * if the store fails.
 */
export async function subscriptionsOf(
  { id, notification }: Pick<MonitorRecord, 'id' | 'notification'>,
  ruleOf: MailRule,
  { recipients }: Pick<MonitorKit, 'recipients'>,
): Promise<readonly Subscription[]> {
  const emails = notification?.email?.recipients ?? []
  if (emails.length === 0) return []
  const known = new Map((await recipients.find(id, emails)).map((record) => [record.email, record]))
  return emails.map((email) => subscriptionOf(email, known.get(email), ruleOf))
}

/**
 * Returns the subscription of a recipient. Members of the operator's team are confirmed unless they have unsubscribed; others
 * who may receive mails are `pending` until their record says `confirmed`. Everyone else stays `pending`.
 */
export function subscriptionOf(email: string, record: RecipientRecord | undefined, ruleOf: MailRule): Subscription {
  const rule = ruleOf(email)
  const isConfirmed = rule === 'team' || (rule === 'opt_in' && record?.decision === 'confirmed')
  return {
    email,
    status: record?.decision === 'unsubscribed' ? 'unsubscribed' : isConfirmed ? 'confirmed' : 'pending',
    source: rule === 'team' ? 'team' : 'opt_in',
    confirmationEmailSent: typeof record?.invitedAt === 'number',
  }
}
