// Builds mails about a check, and mails that ask a recipient to confirm.
import type { MonitorRecord } from '../records/monitor.ts'
import type { RecipientRecord } from '../records/recipients.ts'
import type { LinkTo } from '../email/links.ts'
import { notificationTitle, notificationLine, type Notification } from './notification.ts'
import type { Mail } from './smtp.ts'

const maxDiffs = 5
const maxDiffLength = 20_000
const maxNameLength = 60

/**
 * Returns the mail about a check for one recipient. If the monitor includes diffs, it has at most 5 of up to 20,000 characters.
 * `now` is in milliseconds since 1970; `unsubscribe` is the URL of its unsubscribe page.
 */
export function mailOf(notification: Notification, to: string, now: number, unsubscribe?: string): Mail {
  const { record, check, pages } = notification
  const diffs =
    record.notification?.email?.includeDiffs === true
      ? pages.flatMap(({ url, diff }) => (diff ? [{ url, diff }] : []))
      : []
  const text = [
    `${notificationTitle(notification)}.`,
    '',
    ...pages.map(notificationLine),
    ...diffs
      .slice(0, maxDiffs)
      .flatMap(({ url, diff }) => [
        '',
        url,
        (diff.text ?? JSON.stringify(diff.json, undefined, 2)).slice(0, maxDiffLength),
      ]),
    '',
    `Monitor ${record.id}, check ${check.id}.`,
    ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
  ]
  return {
    to,
    subject: notificationTitle(notification),
    text: text.join('\n'),
    id: `${check.id}.${Buffer.from(to).toString('hex').slice(0, 32)}`,
    date: new Date(now),
    unsubscribe,
  }
}

/** Returns the mail that asks a recipient to confirm. `now` is in milliseconds since 1970. */
export function invitationOf(
  { id, name }: Pick<MonitorRecord, 'id' | 'name'>,
  recipient: RecipientRecord,
  linkTo: LinkTo,
  now: number,
): Mail {
  const unsubscribe = linkTo('unsubscribe', recipient)
  const text = [
    `Somebody wants to send messages of the monitor "${plainName(name)}" to this address.`,
    '',
    'To receive them, open this page and confirm:',
    linkTo('confirm', recipient),
    '',
    'Without your confirmation there will be no further mail. To refuse for good, open this page:',
    unsubscribe,
  ]
  return {
    to: recipient.email,
    subject: `Confirm messages of the monitor "${plainName(name)}"`,
    text: text.join('\n'),
    id: `${id}.${Buffer.from(recipient.email).toString('hex').slice(0, 32)}`,
    date: new Date(now),
    unsubscribe,
  }
}

/** Returns a name without links. The recipients did not request the mail, so it must not carry links of a stranger. */
function plainName(name: string): string {
  const words = name.replaceAll(/[^\p{L}\p{N} ,()'-]+/gu, ' ').trim()
  return words.length > maxNameLength ? `${words.slice(0, maxNameLength).trimEnd()}…` : words
}
