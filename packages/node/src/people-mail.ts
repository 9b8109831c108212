// Mails with the links to pages that need a person.
import type { OnPersonNeeded, PersonRequest } from '@harvestman/live/people'
import { smtpMail, type Mail, type SmtpServer } from '@harvestman/monitors'

const giveUpAfter = 60_000

/**
 * Returns the function that mails the link of a request to these recipients, or `undefined` without recipients or a mail server.
 * It rejects if a mail cannot be sent.
 */
export function mailToPeople(
  recipients: readonly string[],
  server: SmtpServer | undefined,
): OnPersonNeeded | undefined {
  if (recipients.length === 0 || server === undefined) return undefined
  const send = smtpMail(server)
  return async (needed) => {
    const signal = AbortSignal.timeout(giveUpAfter)
    await Promise.all(recipients.map((to) => send(personMail(needed, to), signal)))
  }
}

/** Returns the mail about a request. Without a public URL it has no link. */
export function personMail({ id, url, message, profile, link, createdAt, expiresAt }: PersonRequest, to: string): Mail {
  const { host } = new URL(url)
  const lines = [
    `A page of ${host} needs you: ${message}`,
    '',
    `Page: ${url}`,
    `Profile: ${profile}`,
    link === null
      ? 'Open the list of requests at GET /v2/people. Set HARVESTMAN_PUBLIC_URL for links.'
      : `Link: ${link}`,
    `Until: ${expiresAt}`,
  ]
  return {
    to,
    subject: `${host} needs you`,
    text: lines.join('\n'),
    id: `${id}.${Buffer.from(to).toString('hex').slice(0, 32)}`,
    date: new Date(createdAt),
  }
}
